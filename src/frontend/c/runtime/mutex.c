// POSIX mutexes.
//
// The lock word holds the number of its holder plus 1, or 0. Taking and releasing it are atomic blocks, since
// the GNU C library does both with locked instructions; what that does without any (a recursive mutex that
// its holder locks again, the errors of mutexes that check) is done without any here too. To need no load
// before the block for that, each thread counts by itself the recursive and error-checking mutexes that it
// holds.
#include "mutex.h"

#include <pthread.h>

#include "internal.h"

enum { kKindMask = 3, kDestroyed = -1 };

// Does the program have a type of its own for mutexes, in which there is room for the lock word only? The
// pipeline says so. Then the lock word of one that was destroyed is kDestroyed.
__attribute__((weak)) const int __weir_small_mutexes = 0;

static _Thread_local int
    checked_locks;  // of kind recursive (each time counts) or errorcheck, held by this thread

// The first word, whatever comes behind it.
static int* lock_of(const pthread_mutex_t* mutex) { return (int*)mutex; }

static int lock_word(void) { return __weir_self() + 1; }

// Only the holder itself writes its number, in a block: what it reads is what is.
int __weir_holds_mutex(const pthread_mutex_t* mutex) { return read_int(lock_of(mutex)) == lock_word(); }

static int kind_of(const pthread_mutex_t* mutex) {
  if (__weir_small_mutexes) {
    if (read_int(lock_of(mutex)) == kDestroyed) __weir_fail("uses a mutex that was destroyed");
    return PTHREAD_MUTEX_DEFAULT;
  }
  int kind = read_int(&mutex->__data.__kind);
  if (kind == kDestroyed) __weir_fail("uses a mutex that was destroyed");
  return kind & kKindMask;
}

static int counts(int kind) { return kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK; }

int __weir_checks_holder(const pthread_mutex_t* mutex) { return counts(kind_of(mutex)); }

// In an atomic block: the mutex, which is free, is taken.
static void take(pthread_mutex_t* mutex, int kind) {
  *lock_of(mutex) = lock_word();
  checked_locks += counts(kind);
  __weir_remember_lock(mutex);
  __weir_hold_mutex(mutex);
}

static void lock_once_more(pthread_mutex_t* mutex) {
  mutex->__data.__count++;
  checked_locks++;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (checked_locks > 0 && __weir_holds_mutex(mutex)) {
    int kind = kind_of(mutex);
    if (kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (kind == PTHREAD_MUTEX_RECURSIVE) {
      lock_once_more(mutex);
      return 0;
    }
  }
  __weir_atomic_begin("locks a mutex");
  int kind = kind_of(mutex);
  __weir_wait_until(*lock_of(mutex) == 0);  // for ever, if this thread holds it
  take(mutex, kind);
  __weir_atomic_end();
  return 0;
}

// A try that fails orders nothing, says C++, and POSIX does not promise that it does. Blocks order all they read.
static int try_to_take(pthread_mutex_t* mutex) {
  int free = 0;
  int taken = __atomic_compare_exchange_n(lock_of(mutex), &free, lock_word(), 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  int kind = kind_of(mutex);
  if (!taken) return EBUSY;
  checked_locks += counts(kind);
  __weir_remember_lock(mutex);
  __weir_hold_mutex(mutex);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (checked_locks > 0 && __weir_holds_mutex(mutex) && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    lock_once_more(mutex);
    return 0;
  }
  if (__weir_checks_races()) return try_to_take(mutex);
  __weir_atomic_begin("tries to lock a mutex");
  int kind = kind_of(mutex);
  int free = *lock_of(mutex) == 0;
  if (free) take(mutex, kind);
  __weir_atomic_end();
  return free ? 0 : EBUSY;
}

// It may time out whenever the mutex is not free.
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* deadline) {
  if (checked_locks > 0 && __weir_holds_mutex(mutex)) {
    int kind = kind_of(mutex);
    if (kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (kind == PTHREAD_MUTEX_RECURSIVE) {
      lock_once_more(mutex);
      return 0;
    }
  }
  int error = 0;
  __weir_atomic_begin("locks a mutex, or times out");
  int kind = kind_of(mutex);
  if (*lock_of(mutex) == 0) {
    take(mutex, kind);
  } else if (!valid_time(deadline)) {
    error = EINVAL;
  } else {
    error = ETIMEDOUT;
  }
  __weir_atomic_end();
  return error;
}

// The holder of a recursive mutex that it locked more than once gives one of these back.
static int unlock_once(pthread_mutex_t* mutex) {
  if (checked_locks == 0 || kind_of(mutex) != PTHREAD_MUTEX_RECURSIVE || mutex->__data.__count == 0) return 0;
  mutex->__data.__count--;
  checked_locks--;
  return 1;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!__weir_forget_lock(mutex) && !__weir_holds_mutex(mutex)) {
    if (counts(kind_of(mutex))) return EPERM;
    __weir_fail("unlocks a mutex that it does not hold");
  }
  if (unlock_once(mutex)) return 0;
  __weir_let_go_mutex(mutex);
  __weir_atomic_begin("unlocks a mutex");
  checked_locks -= counts(kind_of(mutex));
  *lock_of(mutex) = 0;
  __weir_atomic_end();
  return 0;
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  *lock_of(mutex) = 0;
  if (__weir_small_mutexes) {
    int kind = attributes ? *(const int*)attributes : PTHREAD_MUTEX_DEFAULT;
    if (kind != PTHREAD_MUTEX_DEFAULT)
      __weir_give_up("a mutex that is no default one, in a type of the program's own");
    return 0;
  }
  mutex->__data.__count = 0;
  mutex->__data.__kind = attributes ? *(const int*)attributes : PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  kind_of(mutex);
  if (read_int(lock_of(mutex)) != 0) __weir_fail("destroys a locked mutex");
  *(__weir_small_mutexes ? lock_of(mutex) : &mutex->__data.__kind) = kDestroyed;
  return 0;
}

int __weir_suspend_mutex(pthread_mutex_t* mutex) {
  if (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE && mutex->__data.__count > 0) {
    mutex->__data.__count--;
    return 0;
  }
  *lock_of(mutex) = 0;
  return 1;
}

void __weir_resume_mutex(pthread_mutex_t* mutex, int suspended) {
  kind_of(mutex);
  if (!suspended) {
    mutex->__data.__count++;
    return;
  }
  __weir_wait_until(*lock_of(mutex) == 0);
  *lock_of(mutex) = lock_word();
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, deadline);
}

// Attributes: the kind is all that is kept.

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  *(int*)attributes = PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int kind) {
  if (kind < PTHREAD_MUTEX_TIMED_NP || kind > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  *(int*)attributes = kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* kind) {
  *kind = *(const int*)attributes;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t* attributes, int shared) {
  (void)attributes;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
