// Futexes, of which std::atomic::wait, latches, semaphores and futures of C++ are made, and many locks: the system call is
// a point for the scheduler instead, and who sleeps waits for the word as for a condition variable.
#include <linux/futex.h>
#include <sys/syscall.h>

#include "native.h"

static long failed(int error) {
  errno = error;
  return -1;
}

static long wait_at(u32* word, u32 expected, const struct timespec* limit, clockid_t clock, uintptr_t pc,
                    uintptr_t frame) {
  weir_call_point("futex_wait", pc, frame, NULL, word);
  weir_check_atomic_access((uintptr_t)word, sizeof *word, 0, pc);
  if (limit && weir_is_bad_time(limit)) return failed(EINVAL);
  weir_drain(weir_self);
  const int64_t early = weir_self->choice;
  weir_self->choice = 0;
  if (__atomic_load_n(word, __ATOMIC_RELAXED) != expected) return failed(EAGAIN);
  if (early || weir_sleep(word, limit != NULL, pc, frame)) return 0;
  return failed(weir_time_has_come(clock, limit));
}

static long wake(u32* word, u32 most, uintptr_t pc, uintptr_t frame) {
  weir_call_point("futex_wake", pc, frame, NULL, word);
  weir_drain(weir_self);
  return weir_wake(word, most);
}

static long futex(u32* word, int operation, u32 value, const struct timespec* limit, u32 bits, uintptr_t pc,
                  uintptr_t frame) {
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: {
      struct timespec until;
      if (limit) until = weir_time_after(clock, limit);
      return wait_at(word, value, limit ? &until : NULL, clock, pc, frame);
    }
    case FUTEX_WAIT_BITSET:
      if (bits == FUTEX_BITSET_MATCH_ANY) return wait_at(word, value, limit, clock, pc, frame);
      break;
    case FUTEX_WAKE: return wake(word, value, pc, frame);
    case FUTEX_WAKE_BITSET:
      if (bits == FUTEX_BITSET_MATCH_ANY) return wake(word, value, pc, frame);
      break;
    default: break;
  }
  weir_finish("unavailable", "a futex is asked for an operation other than waiting and waking");
}

long syscall(long number, ...) {
  va_list list;
  long arguments[6];
  va_start(list, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_membarrier) return failed(ENOSYS);  // as if the system had none
  if (number == SYS_sched_yield) return 0;
  if (number == SYS_futex && weir_active && weir_self && !weir_self->entered)
    return futex((u32*)arguments[0], (int)arguments[1], (u32)arguments[2],
                 (const struct timespec*)arguments[3], (u32)arguments[5], CALLER, FRAME);
  const long result = weir_raw_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                                       arguments[4], arguments[5]);
  return result < 0 && result > -4096 ? failed((int)-result) : result;
}
