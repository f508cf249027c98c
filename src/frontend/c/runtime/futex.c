// Futexes: what std::atomic::wait, latches and semaphores of C++, and many locks are made of.
//
// A thread that sleeps notes in a table where; who wakes looks there, as the kernel does in its own. Both are system
// calls, and so drain the store buffer. Waiting may end without a reason.
#include "futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum { kMostThreads = 64 };

static const void* sleeping_at[kMostThreads];

// In an atomic block.
static thread_set sleepers_at(const void* word) {
  thread_set found = 0;
  for (int thread = 0; thread < __weir_thread_limit(); thread++) {
    if (sleeping_at[thread] == word) found |= only(thread);
  }
  return found;
}

static void wake(int thread) {
  sleeping_at[thread] = NULL;
  __weir_wake(thread);
}

// In an atomic block; returns how many.
static long wake_some(const void* word, int most) {
  thread_set sleepers = sleepers_at(word);
  long woken = 0;
  while (sleepers != 0 && woken < most) {
    int thread = most < __weir_thread_limit() - 1 ? __weir_any_member(sleepers) : __builtin_ctzll(sleepers);
    sleepers &= ~only(thread);
    wake(thread);
    woken++;
  }
  return woken;
}

long __weir_futex_wake(const void* word, int most) {
  __weir_atomic_begin("wakes those that wait for a futex");
  long woken = wake_some(word, most);
  __weir_atomic_end();
  return woken;
}

static enum futex_end sleep(void) {
  __weir_atomic_begin("is woken");
  __weir_wait_until(!__weir_sleeps());
  __weir_atomic_end();
  return kFutexWoken;
}

static enum futex_end sleep_or_time_out(void) {
  __weir_atomic_begin("is woken, or times out");
  int timed_out = __weir_sleeps();
  if (timed_out) wake(__weir_self());
  __weir_atomic_end();
  return timed_out ? kFutexTimedOut : kFutexWoken;
}

enum futex_end __weir_futex_wait(const int* word, int expected, int may_time_out) {
  int early = __weir_wakes_early();
  __weir_atomic_begin("waits for a futex");
  int found = read_int(word);
  if (found == expected && !early) {
    sleeping_at[__weir_self()] = word;
    __weir_fall_asleep();
  }
  __weir_atomic_end();
  if (found != expected) return kFutexDiffers;
  if (early) return kFutexWoken;
  return may_time_out ? sleep_or_time_out() : sleep();
}

static long failed(int error) {
  errno = error;
  return -1;
}

static long futex_wait(const int* word, int expected, const struct timespec* timeout) {
  if (timeout && !valid_time(timeout)) return failed(EINVAL);
  switch (__weir_futex_wait(word, expected, timeout != NULL)) {
    case kFutexWoken: return 0;
    case kFutexTimedOut: return failed(ETIMEDOUT);
    default: return failed(EAGAIN);
  }
}

// Some are woken, others wait somewhere else from now on.
static long futex_requeue(const int* word, int most, long others, const void* other_word,
                          const int* expected) {
  __weir_atomic_begin("wakes those that wait for a futex, or moves them to another one");
  int same = !expected || read_int(word) == *expected;
  long count = 0;
  if (same) {
    count = wake_some(word, most);
    thread_set sleepers = sleepers_at(word);
    for (long moved = 0; sleepers != 0 && moved < others; moved++) {
      int thread = __weir_any_member(sleepers);
      sleepers &= ~only(thread);
      sleeping_at[thread] = other_word;
      if (expected) count++;
    }
  }
  __weir_atomic_end();
  return same ? count : failed(EAGAIN);
}

static long futex(int* word, int operation, int value, void* fourth, int* other_word, int sixth) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return futex_wait(word, value, fourth);
    case FUTEX_WAIT_BITSET:
      if ((unsigned)sixth != FUTEX_BITSET_MATCH_ANY) break;
      return futex_wait(word, value, fourth);
    case FUTEX_WAKE: return __weir_futex_wake(word, value);
    case FUTEX_WAKE_BITSET:
      if ((unsigned)sixth != FUTEX_BITSET_MATCH_ANY) break;
      return __weir_futex_wake(word, value);
    case FUTEX_REQUEUE: return futex_requeue(word, value, (long)fourth, other_word, NULL);
    case FUTEX_CMP_REQUEUE: return futex_requeue(word, value, (long)fourth, other_word, &sixth);
    default: break;
  }
  __weir_give_up("a futex is asked for an operation other than waiting, waking and moving waiters");
}

// The arguments that a call does not give are 0 (library/system_calls.hpp).
long __weir_system_call(long number, void* first, long second, long third, void* fourth, void* fifth,
                        long sixth) {
  switch (number) {
    case SYS_futex: return futex(first, (int)second, (int)third, fourth, fifth, (int)sixth);
    case SYS_gettid: return (long)self_id();
    case SYS_getpid: return 1;
    case SYS_sched_yield: return 0;
    case SYS_membarrier:
      __weir_assumption("the system has no membarrier(): it fails with ENOSYS");
      return failed(ENOSYS);
    default: __weir_give_up("a system call other than futex, gettid, getpid, membarrier and sched_yield");
  }
}

pid_t gettid(void) { return (pid_t)self_id(); }

// How std::future waits.

_Bool future_waits(int* word, int expected, _Bool may_time_out, long seconds, long nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
    "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
_Bool future_waits(int* word, int expected, _Bool may_time_out, long seconds, long nanoseconds) {
  (void)seconds, (void)nanoseconds;
  return __weir_futex_wait(word, expected, may_time_out) != kFutexTimedOut;
}

_Bool future_waits_steadily(int* word, int expected, _Bool may_time_out, long seconds, long nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_"
    "steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
_Bool future_waits_steadily(int* word, int expected, _Bool may_time_out, long seconds, long nanoseconds) {
  return future_waits(word, expected, may_time_out, seconds, nanoseconds);
}

void future_is_ready(int* word) __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");
void future_is_ready(int* word) { __weir_futex_wake(word, kMostThreads); }
