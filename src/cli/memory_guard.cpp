#include "cli/memory_guard.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#ifdef WEIR_HAS_MIMALLOC
#include <mimalloc.h>
#endif

#include "base/context.hpp"

namespace weir::cli {

namespace {

// Handlers have no argument: this is where they find what to do.
std::function<void()>& action() {
  static std::function<void()> what;
  return what;
}

std::atomic<bool>& ending() {
  static std::atomic<bool> flag{false};
  return flag;
}

void end_for_lack_of_memory() {
  if (ending().exchange(true))
    while (true) pause();  // another thread is about to end the process
  lift_memory_limit();
  action()();
}

void end_after_abort(int) {
  if (action() && (lacks_memory() || ending())) end_for_lack_of_memory();
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
}

#ifdef WEIR_HAS_MIMALLOC
// It does not know the new handler of the library of C++, and aborts; but it tells its own.
void end_after_allocation(int problem, void*) {
  if (problem == ENOMEM) end_for_lack_of_memory();
}
#endif

}  // namespace

MemoryGuard::MemoryGuard(std::function<void()> end_process) {
  action() = std::move(end_process);
  old_new_handler_ = std::set_new_handler(end_for_lack_of_memory);
#ifdef WEIR_HAS_MIMALLOC
  mi_register_error(end_after_allocation, nullptr);
#endif
  old_abort_handler_ = std::signal(SIGABRT, end_after_abort);
}

MemoryGuard::~MemoryGuard() {
  std::set_new_handler(old_new_handler_);
#ifdef WEIR_HAS_MIMALLOC
  mi_register_error(nullptr, nullptr);
#endif
  std::signal(SIGABRT, old_abort_handler_);
}

bool lacks_memory() {
  constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;
  return memory_left() < kLittle;
}

void lift_memory_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace weir::cli
