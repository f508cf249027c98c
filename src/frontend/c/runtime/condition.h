// The set of threads that wait for a condition variable, POSIX or C11: see condition.c.
#pragma once

#include "internal.h"

// All 64 threads cannot wait at once and be asked about it: nobody is left to ask.
static inline thread_set destroyed_condition(void) { return ~0ull; }

static inline thread_set waiting(const thread_set* waiters) {
  thread_set set = __atomic_load_n(waiters, __ATOMIC_ACQUIRE);
  if (set == destroyed_condition()) __weir_fail("uses a condition variable that was destroyed");
  return set;
}

static inline void destroy_condition(thread_set* waiters) {
  __weir_atomic_begin("destroys a condition variable");
  if (waiting(waiters) != 0) __weir_fail("destroys a condition variable that a thread waits for");
  *waiters = destroyed_condition();
  __weir_atomic_end();
}

static inline void wake_one(thread_set* waiters) {
  if (waiting(waiters) == 0) return;
  __weir_atomic_begin("signals a condition variable");
  thread_set set = waiting(waiters);
  if (set != 0) {
    int woken = __weir_any_member(set);
    *waiters = set & ~only(woken);
    __weir_wake(woken);
  }
  __weir_atomic_end();
}

static inline void wake_all(thread_set* waiters) {
  if (waiting(waiters) == 0) return;
  __weir_atomic_begin("wakes all that wait for a condition variable");
  __weir_wake_all(waiting(waiters));
  *waiters = 0;
  __weir_atomic_end();
}

// In an atomic block.
static inline void enter_waiters(thread_set* waiters) {
  *waiters = waiting(waiters) | only(__weir_self());
  __weir_fall_asleep();
}

// Waits until woken, or times out: the result says which. The time may run out before the mutex is free
// again, so this is a step of its own: a signal after it wakes somebody else.
static inline int sleep_or_time_out(thread_set* waiters) {
  __weir_atomic_begin("is woken, or times out");
  int timed_out = __weir_sleeps();
  if (timed_out) {
    *waiters = waiting(waiters) & ~only(__weir_self());
    __weir_wake(__weir_self());
  }
  __weir_atomic_end();
  return timed_out;
}
