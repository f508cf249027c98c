// Runs other programs, without a shell, and takes what they write; or tries what may crash.
//
// A program that is started here leads a process group of its own, has no signal blocked, and is killed by
// the kernel when the thread that started it ends. Whoever stops it stops all that it started.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "base/context.hpp"
#include "base/process/sandbox.hpp"

namespace weir {

struct Launch {
  std::vector<std::string> command;           // the program is searched for on the PATH; its input is empty
  std::vector<std::string> variables;         // "NAME=VALUE", besides those of this process
  int output = -1, errors = -1;               // descriptors
  std::optional<std::uint64_t> memory_bytes;  // how much it may allocate
  const Sandbox* sandbox = nullptr;           // which it runs in, if there is one
};

struct ProcessEnd {
  std::optional<int> exit_code;  // none if a signal ended it
  int signal = 0;
  double processor_seconds = 0;  // its own, and those of the programs that it waited for
};

class Process {
 public:
  // Nothing if there is no such program.
  static std::optional<Process> start(const Launch& launch);
  Process(Process&& other) noexcept : leader_(other.leader_) { other.leader_ = 0; }
  Process& operator=(Process&& other) noexcept;
  ~Process();  // kills the group

  void send(int signal_number) const;  // to the whole group
  // How it ended, if it has. What it left running in its group is killed then.
  std::optional<ProcessEnd> ended();
  ProcessEnd wait();
  // The number of the process and its group, which are the caller's from now on.
  pid_t release() { return std::exchange(leader_, 0); }

 private:
  explicit Process(pid_t leader) : leader_(leader) {}
  ProcessEnd reap();

  pid_t leader_ = 0;  // 0: nothing runs
};

struct ProcessResult {
  int status = 0;  // the exit code, or 128 + the signal that ended the program
  std::string output;
  std::string errors;
};

// Nothing if there is no such program. When the context is stopped, the program is killed.
std::optional<ProcessResult> run_process(const std::vector<std::string>& command,
                                         const Context* context = nullptr, const Sandbox* sandbox = nullptr);

// What the action returns. It is tried in a copy of this process, in a sandbox, so that it may crash, or need
// more than two minutes or a few gigabytes; then nothing. When the context is stopped, the copy is killed.
std::optional<std::string> result_if_survived(const std::function<std::string()>& action,
                                              const Context* context = nullptr);

}  // namespace weir
