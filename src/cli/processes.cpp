#include "cli/processes.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>

#include "base/error.hpp"

extern char** environ;

namespace weir::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPollPeriod = std::chrono::milliseconds(2);

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Pool {
 public:
  Pool(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
       const std::filesystem::path& folder, const Context& context,
       const std::function<void(std::size_t, ProcessEnd)>& ended)
      : commands_(commands), limits_(limits), folder_(folder), context_(context), ended_(ended) {}

  void run() {
    std::size_t next = 0;
    while (true) {
      while (next < commands_.size() && running_.size() < limits_.at_once && !context_.stopped())
        start(next++);
      if (running_.empty()) return;
      if (!collect()) std::this_thread::sleep_for(kPollPeriod);
      kill_late_ones();
    }
  }

 private:
  struct Running {
    std::size_t command = 0;
    Clock::time_point start;
  };

  std::filesystem::path file(std::size_t command, const char* what) const {
    return folder_ / fmt::format("{}.{}", command, what);
  }

  void start(std::size_t command) {
    std::vector<char*> arguments;
    for (const std::string& argument : commands_[command])
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, file(command, "out").c_str(), kCreate, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, file(command, "err").c_str(), kCreate, 0600);
    pid_t process = 0;
    const int problem = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
      throw InternalError(std::string("a process cannot be started: ") + std::strerror(problem));
    running_[process] = {command, Clock::now()};
  }

  // Those that have ended; false if none has.
  bool collect() {
    bool any = false;
    for (auto entry = running_.begin(); entry != running_.end();) {
      int status = 0;
      if (waitpid(entry->first, &status, WNOHANG) != entry->first) {
        ++entry;
        continue;
      }
      any = true;
      const Running done = entry->second;
      entry = running_.erase(entry);
      ProcessEnd end;
      if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
      end.seconds = std::chrono::duration<double>(Clock::now() - done.start).count();
      end.output = contents(file(done.command, "out"));
      end.errors = contents(file(done.command, "err"));
      ended_(done.command, std::move(end));
    }
    return any;
  }

  void kill_late_ones() {
    if (!limits_.longest) return;
    for (const auto& [process, what] : running_)
      if (Clock::now() - what.start > *limits_.longest) kill(process, SIGKILL);
  }

  const std::vector<std::vector<std::string>>& commands_;
  const ProcessLimits& limits_;
  const std::filesystem::path& folder_;
  const Context& context_;
  const std::function<void(std::size_t, ProcessEnd)>& ended_;
  std::map<pid_t, Running> running_;
};

}  // namespace

void run_processes(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
                   const std::filesystem::path& folder, const Context& context,
                   const std::function<void(std::size_t, ProcessEnd)>& ended) {
  Pool(commands, limits, folder, context, ended).run();
}

std::string own_path() {
  std::error_code problem;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) throw InternalError("the program does not find itself: " + problem.message());
  return path.string();
}

}  // namespace weir::cli
