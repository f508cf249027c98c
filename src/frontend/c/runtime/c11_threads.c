// Threads, mutexes and condition variables as <threads.h> has them. To the compiler a mtx_t is a long
// and some bytes, so all of a mutex is in that number: the number of the holder plus 1 in the lowest
// byte, above it how often a recursive mutex is locked besides, and on top what kind it is.
#include <threads.h>

#include "condition.h"
#include "internal.h"

// The start function returns an int, so it is called by one that returns a pointer.
static void* call_start(void* argument) {
  int (*start)(void*) = (int (*)(void*))__weir_threads[__weir_self()].result;
  return (void*)(long)start(argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  __weir_spawn(call_start, argument, (void*)start, 0, thread);
  return thrd_success;
}

int thrd_join(thrd_t thread, int* result) {
  void* returned = __weir_join(thread);
  if (result) *result = (int)(long)returned;
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  __weir_detach(thread);
  return thrd_success;
}

void thrd_exit(int result) { __weir_exit_thread((void*)(long)result); }

thrd_t thrd_current(void) { return self_id(); }

int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

void thrd_yield(void) {}

int thrd_sleep(const struct timespec* duration, struct timespec* remaining) {
  (void)remaining;
  __weir_has_slept = 1;
  return valid_time(duration) ? 0 : -2;
}

enum { kHolder = 0xff, kOnceMore = 0x100, kTimes = 0xffff00, kRecursive = 0x1000000, kDestroyed = -1 };

static _Thread_local int recursive_locks;  // held by this thread; each time counts

static long* word_of(mtx_t* mutex) { return (long*)mutex; }

static long word_now(mtx_t* mutex) {
  long word = read_long(word_of(mutex));
  if (word == kDestroyed) __weir_fail("uses a mutex that was destroyed");
  return word;
}

static int holds(long word) { return (word & kHolder) == __weir_self() + 1; }

int mtx_init(mtx_t* mutex, int kind) {
  if (kind & ~(mtx_recursive | mtx_timed)) return thrd_error;
  *word_of(mutex) = kind & mtx_recursive ? kRecursive : 0;
  return thrd_success;
}

void mtx_destroy(mtx_t* mutex) {
  if (word_now(mutex) & kHolder) __weir_fail("destroys a locked mutex");
  *word_of(mutex) = kDestroyed;
}

// The holder of a recursive mutex locks it without a locked instruction: nobody else writes it.
static int lock_once_more(mtx_t* mutex) {
  if (recursive_locks == 0) return 0;
  long word = word_now(mutex);
  if (!holds(word) || !(word & kRecursive)) return 0;
  __atomic_store_n(word_of(mutex), word + kOnceMore, __ATOMIC_RELEASE);
  recursive_locks++;
  return 1;
}

static int unlock_once(mtx_t* mutex) {
  if (recursive_locks == 0) return 0;
  long word = word_now(mutex);
  if (!holds(word) || !(word & kTimes)) return 0;
  __atomic_store_n(word_of(mutex), word - kOnceMore, __ATOMIC_RELEASE);
  recursive_locks--;
  return 1;
}

// In an atomic block.
static void take(mtx_t* mutex, long word) {
  *word_of(mutex) = word | (__weir_self() + 1);
  if (word & kRecursive) recursive_locks++;
  __weir_remember_lock(mutex);
  __weir_hold_mutex(mutex);
}

int mtx_lock(mtx_t* mutex) {
  if (lock_once_more(mutex)) return thrd_success;
  __weir_atomic_begin("locks a mutex");
  long word = word_now(mutex);
  __weir_wait_until((word & kHolder) == 0);  // for ever, if this thread holds it
  take(mutex, word);
  __weir_atomic_end();
  return thrd_success;
}

static int lock_if_free(mtx_t* mutex) {
  __weir_atomic_begin("locks a mutex, if it is free");
  long word = word_now(mutex);
  int free = (word & kHolder) == 0;
  if (free) take(mutex, word);
  __weir_atomic_end();
  return free;
}

int mtx_trylock(mtx_t* mutex) {
  if (__weir_fails_by_chance("mtx_trylock fails only if the mutex is locked")) return thrd_busy;
  return lock_once_more(mutex) || lock_if_free(mutex) ? thrd_success : thrd_busy;
}

// It may time out whenever the mutex is not free.
int mtx_timedlock(mtx_t* mutex, const struct timespec* deadline) {
  if (lock_once_more(mutex) || lock_if_free(mutex)) return thrd_success;
  return valid_time(deadline) ? thrd_timedout : thrd_error;
}

int mtx_unlock(mtx_t* mutex) {
  if (!__weir_forget_lock(mutex) && !holds(word_now(mutex))) {
    __weir_fail("unlocks a mutex that it does not hold");
  }
  if (unlock_once(mutex)) return thrd_success;
  __weir_let_go_mutex(mutex);
  __weir_atomic_begin("unlocks a mutex");
  long word = word_now(mutex);
  if (word & kRecursive) recursive_locks--;
  *word_of(mutex) = word & ~kHolder;
  __weir_atomic_end();
  return thrd_success;
}

static thread_set* waiters_of(cnd_t* condition) { return (thread_set*)condition; }

int cnd_init(cnd_t* condition) {
  *waiters_of(condition) = 0;
  return thrd_success;
}

void cnd_destroy(cnd_t* condition) { destroy_condition(waiters_of(condition)); }

int cnd_signal(cnd_t* condition) {
  wake_one(waiters_of(condition));
  return thrd_success;
}

int cnd_broadcast(cnd_t* condition) {
  wake_all(waiters_of(condition));
  return thrd_success;
}

// Gives the mutex back once; returns by how much its word changed.
static long start_waiting(thread_set* waiters, mtx_t* mutex, int sleeps) {
  __weir_atomic_begin("waits for a condition variable");
  long word = word_now(mutex);
  if (!holds(word)) __weir_fail("waits for a condition variable without holding the mutex");
  long given = word & kTimes ? kOnceMore : word & kHolder;
  *word_of(mutex) = word - given;
  if (sleeps) {
    enter_waiters(waiters);
  } else {
    waiting(waiters);
  }
  __weir_atomic_end();
  return given;
}

// In an atomic block.
static void take_back(mtx_t* mutex, long given) {
  long word = word_now(mutex);
  __weir_wait_until(given == kOnceMore || (word & kHolder) == 0);
  *word_of(mutex) = word + given;
}

// As with POSIX condition variables, see condition.c.
static int wake_early(cnd_t* condition, mtx_t* mutex) {
  long given = start_waiting(waiters_of(condition), mutex, 0);
  __weir_atomic_begin("woke without a signal and locks the mutex");
  take_back(mutex, given);
  __weir_atomic_end();
  return thrd_success;
}

int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (__weir_wakes_early()) return wake_early(condition, mutex);
  long given = start_waiting(waiters_of(condition), mutex, 1);
  __weir_atomic_begin("is woken and locks the mutex");
  __weir_wait_until(!__weir_sleeps());
  take_back(mutex, given);
  __weir_atomic_end();
  return thrd_success;
}

int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* deadline) {
  if (!valid_time(deadline)) return thrd_error;
  if (__weir_wakes_early()) return wake_early(condition, mutex);
  long given = start_waiting(waiters_of(condition), mutex, 1);
  int timed_out = sleep_or_time_out(waiters_of(condition));
  __weir_atomic_begin("locks the mutex after waiting");
  take_back(mutex, given);
  __weir_atomic_end();
  return timed_out ? thrd_timedout : thrd_success;
}
