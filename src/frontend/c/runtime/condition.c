// POSIX condition variables.
//
// The first 8 bytes are the set of the threads that wait. A signal takes any one of them out and wakes it, a
// broadcast all; a thread that is awake goes on when it gets the mutex. That a signal which finds nobody
// waiting is only a load, and drains nothing, is so in the GNU C library too.
//
// A thread may also wake up without a signal. It decides so before it waits, and then never enters the set: a
// signal that would have reached it in the meantime would have woken it anyway. So a thread that nobody wakes is
// still seen to wait for ever, and one that checks its condition in a loop comes back to a state it has been in.
#include "condition.h"

#include <pthread.h>

#include "internal.h"
#include "mutex.h"

static thread_set* waiters_of(pthread_cond_t* condition) { return (thread_set*)condition; }

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  (void)attributes;
  *waiters_of(condition) = 0;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* condition) {
  destroy_condition(waiters_of(condition));
  return 0;
}

int pthread_cond_signal(pthread_cond_t* condition) {
  wake_one(waiters_of(condition));
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  wake_all(waiters_of(condition));
  return 0;
}

enum { kNotHeld = -1 };

// Returns whether the mutex was given back: a recursive one that is held more than once is not. One that checks its
// holder says so if it is not held.
static int start_waiting(thread_set* waiters, pthread_mutex_t* mutex, int sleeps) {
  __weir_atomic_begin("waits for a condition variable");
  int released = kNotHeld;
  if (__weir_holds_mutex(mutex)) {
    released = __weir_suspend_mutex(mutex);
    if (sleeps) {
      enter_waiters(waiters);
    } else {
      waiting(waiters);
    }
  } else if (!__weir_checks_holder(mutex)) {
    __weir_fail("waits for a condition variable without holding the mutex");
  }
  __weir_atomic_end();
  return released;
}

static int wake_early(thread_set* waiters, pthread_mutex_t* mutex) {
  int released = start_waiting(waiters, mutex, 0);
  if (released == kNotHeld) return EPERM;
  __weir_atomic_begin("woke without a signal and locks the mutex");
  __weir_resume_mutex(mutex, released);
  __weir_atomic_end();
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  thread_set* waiters = waiters_of(condition);
  if (__weir_wakes_early()) return wake_early(waiters, mutex);
  int released = start_waiting(waiters, mutex, 1);
  if (released == kNotHeld) return EPERM;
  __weir_atomic_begin("is woken and locks the mutex");
  __weir_wait_until(!__weir_sleeps());
  __weir_resume_mutex(mutex, released);
  __weir_atomic_end();
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const struct timespec* deadline) {
  if (!valid_time(deadline)) return EINVAL;
  thread_set* waiters = waiters_of(condition);
  if (__weir_wakes_early()) return wake_early(waiters, mutex);
  int released = start_waiting(waiters, mutex, 1);
  if (released == kNotHeld) return EPERM;
  int timed_out = sleep_or_time_out(waiters);
  __weir_atomic_begin("locks the mutex after waiting");
  __weir_resume_mutex(mutex, released);
  __weir_atomic_end();
  return timed_out ? ETIMEDOUT : 0;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* deadline) {
  (void)clock;
  return pthread_cond_timedwait(condition, mutex, deadline);
}

int pthread_condattr_init(pthread_condattr_t* attributes) {
  *(int*)attributes = 0;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t* attributes) {
  (void)attributes;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
  (void)attributes;
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

int pthread_condattr_setpshared(pthread_condattr_t* attributes, int shared) {
  (void)attributes;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
