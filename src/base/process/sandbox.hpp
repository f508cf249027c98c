// What a process may do that reads a stranger's program: read files, compute, write to its pipe, and no more.
//
// A compiler is a large program that was not written for hostile input. So the child that runs it, or LLVM's
// readers, is restricted by the kernel: Landlock takes away writing, except below one folder, and signals to
// others; a seccomp filter takes away the network, what could change the machine or look into other
// processes, and what would change the owner or the mode of files. Where the kernel lacks one of these, the
// child runs with the rest. Both are for good, and hold for all that the child starts.
//
// A sandbox is prepared by the parent: between fork and exec nothing may be allocated, so that `enter` is
// three system calls.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace weir {

class Sandbox {
 public:
  // Nothing can be written.
  Sandbox() : Sandbox(std::nullopt) {}
  // Files can be written below the folder, which is there already.
  explicit Sandbox(const std::filesystem::path& writable_folder) : Sandbox(std::optional(writable_folder)) {}
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox();

  // For the calling process, which has one thread. Needs no lock and no memory.
  void enter() const noexcept;

 private:
  explicit Sandbox(std::optional<std::filesystem::path> writable_folder);

  struct FilterInstruction {  // as the kernel defines it
    std::uint16_t code;
    std::uint8_t if_true, if_false;
    std::uint32_t operand;
  };
  static std::vector<FilterInstruction> make_filter(bool writes, bool signals);

  int rules_ = -1;  // Landlock's, a descriptor; -1: the kernel has none
  std::vector<FilterInstruction> filter_;
  std::uint64_t largest_file_ = 0;
};

// The user has switched it off, by WEIR_SANDBOX=off.
bool sandbox_is_off();

// What a process in a sandbox was seen not to be able to do.
struct SandboxTrial {
  bool no_network = false;
  bool no_writes = false;   // outside its folder
  bool no_signals = false;  // to its parent
  bool no_tracing = false;  // of other processes
  bool no_new_rights = false;
  int landlock_version = 0;  // 0: the kernel has none
  bool filter_built_in = false;
};

// Really tries all of it, in a child, and in a temporary folder.
SandboxTrial try_sandbox();

}  // namespace weir
