#include "base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"

extern char** environ;

namespace weir {

namespace {

// Both ends close with the object, and neither is inherited by programs started meanwhile.
class Pipe {
 public:
  Pipe() { WEIR_CHECK(pipe2(ends_.data(), O_CLOEXEC) == 0, "a pipe can be made"); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }
  void close_read_end() { close_end(0); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void open_empty(int descriptor) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_RDONLY, 0);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Takes what is there to read. False at the end.
bool take(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

// Reads both until both end, as they come: a program that fills one pipe must not wait for the other.
void take_both(Pipe& output, Pipe& errors, ProcessResult& result) {
  while (output.read_end() >= 0 || errors.read_end() >= 0) {
    std::array<pollfd, 2> ready{pollfd{output.read_end(), POLLIN, 0}, pollfd{errors.read_end(), POLLIN, 0}};
    if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) break;
    if (ready[0].revents != 0 && !take(output.read_end(), result.output)) output.close_read_end();
    if (ready[1].revents != 0 && !take(errors.read_end(), result.errors)) errors.close_read_end();
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    WEIR_CHECK(errno == EINTR, "a program that was started can be waited for");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<ProcessResult> run_process(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  Pipe output, errors;
  FileActions actions;
  actions.open_empty(STDIN_FILENO);
  actions.redirect(output.write_end(), STDOUT_FILENO);
  actions.redirect(errors.write_end(), STDERR_FILENO);
  pid_t process = 0;
  if (posix_spawnp(&process, arguments[0], actions.get(), nullptr, arguments.data(), environ) != 0)
    return std::nullopt;
  output.close_write_end();
  errors.close_write_end();

  ProcessResult result;
  take_both(output, errors, result);
  result.status = wait_for(process);
  return result;
}

namespace {

constexpr rlim_t kMostSeconds = 120;
constexpr rlim_t kMostBytes = rlim_t{4} << 30;

void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_cur = std::min(now.rlim_cur, most);
  setrlimit(resource, &now);
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) _exit(1);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

}  // namespace

std::optional<std::string> result_if_survived(const std::function<std::string()>& action) {
  Pipe result;
  const pid_t copy = fork();
  WEIR_CHECK(copy >= 0, "a process can be made");
  if (copy == 0) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, kMostSeconds);
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow memory is larger than that
    limit(RLIMIT_DATA, kMostBytes);
#endif
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    for (const int signal_number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGXCPU})
      signal(signal_number, SIG_DFL);
    write_all(result.write_end(), action());
    _exit(0);
  }
  result.close_write_end();
  std::string text;
  while (take(result.read_end(), text)) {
  }
  if (wait_for(copy) != 0) return std::nullopt;
  return text;
}

}  // namespace weir
