#include "base/process/process_group.hpp"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/error.hpp"

namespace weir {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPollPeriod = std::chrono::milliseconds(2);
constexpr auto kFarewell = std::chrono::milliseconds(200);  // from asking a process to end to killing it

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) throw InternalError("a temporary file cannot be made: " + path.string());
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// As long as it lives, processes whose parents end become ours. At its end all of them are killed, also those
// that left the group they were started in.
class Orphanage {
 public:
  Orphanage() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  Orphanage(const Orphanage&) = delete;
  Orphanage& operator=(const Orphanage&) = delete;
  ~Orphanage() {
    while (kill_children()) {
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

 private:
  // False if there were none.
  static bool kill_children() {
    const std::string own = std::to_string(getpid());
    std::ifstream list(fmt::format("/proc/{}/task/{}/children", own, own));
    bool any = false;
    for (pid_t child = 0; list >> child; any = true) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    return any;
  }
};

class Pool {
 public:
  Pool(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
       const std::filesystem::path& folder, const Context& context,
       const std::function<void(std::size_t, CommandEnd)>& ended)
      : commands_(commands), limits_(limits), folder_(folder), context_(context), ended_(ended) {}

  void run() {
    std::size_t next = 0;
    while (true) {
      while (next < commands_.size() && running_.size() < limits_.at_once && !context_.stopped()) {
        if (!commands_[next].empty()) start(next);
        ++next;
      }
      if (running_.empty()) return;
      if (!collect()) std::this_thread::sleep_for(kPollPeriod);
      kill_late_ones();
      if (context_.stopped()) say_farewell();
    }
  }

 private:
  struct Running {
    Process process;
    Clock::time_point start;
    bool cut = false;
  };

  std::filesystem::path file(std::size_t command, const char* what) const {
    return folder_ / fmt::format("{}.{}", command, what);
  }

  void start(std::size_t command) {
    const OutputFile output(file(command, "out")), errors(file(command, "err"));
    auto process = Process::start({.command = commands_[command],
                                   .variables = {"TMPDIR=" + folder_.string()},
                                   .output = output.descriptor(),
                                   .errors = errors.descriptor(),
                                   .memory_bytes = {}});
    if (!process) throw InternalError("a process cannot be started: " + commands_[command][0]);
    running_.emplace(command, Running{std::move(*process), Clock::now()});
  }

  // Those that have ended; false if none has.
  bool collect() {
    bool any = false;
    for (auto entry = running_.begin(); entry != running_.end();) {
      const auto how = entry->second.process.ended();
      if (!how) {
        ++entry;
        continue;
      }
      any = true;
      const std::size_t command = entry->first;
      CommandEnd end{.how = *how, .cut = entry->second.cut && !how->exit_code};
      end.seconds = std::chrono::duration<double>(Clock::now() - entry->second.start).count();
      running_.erase(entry++);
      end.output = contents(file(command, "out"));
      end.errors = contents(file(command, "err"));
      ended_(command, std::move(end));
    }
    return any;
  }

  void kill_late_ones() {
    if (!limits_.longest) return;
    for (auto& [command, what] : running_)
      if (Clock::now() - what.start > *limits_.longest) cut(what, SIGKILL);
  }

  // The context was stopped.
  void say_farewell() {
    if (!farewell_)
      for (auto& [command, what] : running_) cut(what, SIGTERM);
    if (!farewell_) farewell_ = Clock::now();
    if (Clock::now() - *farewell_ > kFarewell)
      for (auto& [command, what] : running_) cut(what, SIGKILL);
  }

  static void cut(Running& running, int signal_number) {
    running.process.send(signal_number);
    running.cut = true;
  }

  const std::vector<std::vector<std::string>>& commands_;
  const ProcessLimits& limits_;
  const std::filesystem::path& folder_;
  const Context& context_;
  const std::function<void(std::size_t, CommandEnd)>& ended_;
  const Orphanage orphanage_;  // outlives those that run
  std::map<std::size_t, Running> running_;
  std::optional<Clock::time_point> farewell_;
};

}  // namespace

void run_processes(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
                   const std::filesystem::path& folder, const Context& context,
                   const std::function<void(std::size_t, CommandEnd)>& ended) {
  Pool(commands, limits, folder, context, ended).run();
}

std::chrono::milliseconds longest_run(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1200) + 3'000);
}

std::string own_path() {
  std::error_code problem;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) throw InternalError("the program does not find itself: " + problem.message());
  return path.string();
}

}  // namespace weir
