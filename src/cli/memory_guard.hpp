// What happens when the system refuses more memory: the answer `unknown`, not a crash.
//
// The allocator tells it to whoever asks `operator new`; libraries that call malloc themselves abort. Both
// end here. There is one guard in a process, since there is one allocator.
#pragma once

#include <functional>
#include <new>

namespace weir::cli {

class MemoryGuard {
 public:
  // `end_process` does not return. It can allocate: the limit is lifted before it is called.
  explicit MemoryGuard(std::function<void()> end_process);
  ~MemoryGuard();
  MemoryGuard(const MemoryGuard&) = delete;
  MemoryGuard& operator=(const MemoryGuard&) = delete;

 private:
  std::new_handler old_new_handler_ = nullptr;
  void (*old_abort_handler_)(int) = nullptr;
};

// Is so little left that whatever goes wrong now goes wrong because of that?
bool lacks_memory();

// Lets the process have what the machine has, for its last words.
void lift_memory_limit();

}  // namespace weir::cli
