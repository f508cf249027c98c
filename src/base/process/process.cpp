#include "base/process/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/sanitizers.hpp"

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

// Takes what is there to read. False at the end.
bool take(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

constexpr int kPollMilliseconds = 10;

// Reads all until all end, as they come: a program that fills one pipe must not wait for the other. False if
// the context was stopped before.
bool take_all(std::vector<std::pair<Pipe*, std::string*>> open, const Context* context) {
  while (!open.empty()) {
    if (context != nullptr && context->stopped()) return false;
    std::vector<pollfd> ready;
    for (const auto& [pipe, text] : open) ready.push_back({pipe->read_end(), POLLIN, 0});
    if (poll(ready.data(), ready.size(), kPollMilliseconds) < 0 && errno != EINTR) return true;
    for (std::size_t i = open.size(); i-- > 0;)
      if (ready[i].revents != 0 && !take(open[i].first->read_end(), *open[i].second))
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return true;
}

void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_cur = std::min(now.rlim_cur, most);
  setrlimit(resource, &now);
}

// Signals are ours to handle, but not those of a program that we start.
void become_ordinary(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // which ended before it could be noticed
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Those of this process, but for what is said anew.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> result = variables;
  const auto is_new = [&](std::string_view known) {
    return std::ranges::none_of(variables, [&](const std::string& variable) {
      return known.starts_with(std::string_view(variable).substr(0, variable.find('=') + 1));
    });
  };
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (is_new(*variable)) result.emplace_back(*variable);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

// Between fork and exec only what needs no lock.
std::optional<Process> Process::start(const Launch& launch) {
  std::vector<std::string> command = launch.command, variables = environment_with(launch.variables);
  const std::vector<char*> arguments = pointers(command), environment = pointers(variables);
  Pipe failure;  // carries why the program cannot be started, and ends when it can
  const pid_t parent = getpid();
  const pid_t child = fork();
  WEIR_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    setpgid(0, 0);
    become_ordinary(parent);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(launch.output >= 0 ? launch.output : nothing, STDOUT_FILENO);
    dup2(launch.errors >= 0 ? launch.errors : nothing, STDERR_FILENO);
    rlimit memory{};
    getrlimit(RLIMIT_DATA, &memory);
    memory.rlim_cur = std::min<rlim_t>(memory.rlim_max, launch.memory_bytes.value_or(RLIM_INFINITY));
    setrlimit(RLIMIT_DATA, &memory);  // what is left to us is nothing to the program
    limit(RLIMIT_CORE, 0);
    if (launch.sandbox != nullptr) launch.sandbox->enter();
    execvpe(arguments[0], arguments.data(), environment.data());
    const char problem = 1;
    if (write(failure.write_end(), &problem, 1) < 0) _exit(126);
    _exit(127);
  }
  setpgid(child, child);  // here too, so that the group exists whoever is first
  failure.close_write_end();
  std::string problem;
  while (take(failure.read_end(), problem)) {
  }
  Process process(child);
  if (!problem.empty()) return std::nullopt;
  return process;
}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(leader_, other.leader_);
  return *this;
}

Process::~Process() {
  if (leader_ != 0) reap();
}

void Process::send(int signal_number) const {
  if (leader_ != 0) kill(-leader_, signal_number);
}

std::optional<ProcessEnd> Process::ended() {
  siginfo_t info{};
  const int problem = waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (problem == 0 && info.si_pid == 0) return std::nullopt;
  return reap();
}

ProcessEnd Process::wait() {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  return reap();
}

// The group is killed before its leader is taken leave of: until then nobody else has its number.
ProcessEnd Process::reap() {
  send(SIGKILL);
  int status = 0;
  rusage used{};
  while (wait4(leader_, &status, 0, &used) < 0)
    WEIR_CHECK(errno == EINTR, "a program that was started can be waited for");
  leader_ = 0;
  ProcessEnd end;
  for (const timeval& part : {used.ru_utime, used.ru_stime})
    end.processor_seconds += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

namespace {

// What a program may allocate: its code and that of its libraries are resident, too.
std::optional<std::uint64_t> data_limit(const Context* context) {
  constexpr std::uint64_t kCode = std::uint64_t{64} << 20;
  if (context == nullptr || !context->memory_limit()) return std::nullopt;
  const std::uint64_t most = *context->memory_limit();
  return most - std::min(kCode, most / 4);
}

}  // namespace

std::optional<ProcessResult> run_process(const std::vector<std::string>& command, const Context* context,
                                         const Sandbox* sandbox) {
  Pipe output, errors;
  auto process = Process::start({.command = command,
                                 .variables = {},
                                 .output = output.write_end(),
                                 .errors = errors.write_end(),
                                 .memory_bytes = data_limit(context),
                                 .sandbox = sandbox});
  if (!process) return std::nullopt;
  output.close_write_end();
  errors.close_write_end();
  ProcessResult result;
  if (!take_all({{&output, &result.output}, {&errors, &result.errors}}, context)) process->send(SIGKILL);
  const ProcessEnd end = process->wait();
  result.status = end.exit_code.value_or(128 + end.signal);
  return result;
}

namespace {

constexpr rlim_t kMostSeconds = 120;
constexpr rlim_t kMostBytes = rlim_t{4} << 30;

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) _exit(1);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

}  // namespace

std::optional<std::string> result_if_survived(const std::function<std::string()>& action,
                                              const Context* context) {
  Pipe result;
  const Sandbox sandbox;
  const pid_t parent = getpid();
  const pid_t copy = fork();
  WEIR_CHECK(copy >= 0, "a process can be made");
  if (copy == 0) {
    become_ordinary(parent);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, kMostSeconds);
    if (!kIsSanitized) limit(RLIMIT_DATA, kMostBytes);  // the shadow memory of sanitizers is larger than that
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    for (const int signal_number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGXCPU})
      signal(signal_number, SIG_DFL);
    sandbox.enter();
    write_all(result.write_end(), action());
    _exit(0);
  }
  result.close_write_end();
  std::string text;
  if (!take_all({{&result, &text}}, context)) kill(copy, SIGKILL);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    WEIR_CHECK(errno == EINTR, "a process that was started can be waited for");
  if (status != 0) return std::nullopt;
  return text;
}

}  // namespace weir
