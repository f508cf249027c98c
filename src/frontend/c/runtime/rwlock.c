// Read-write locks: `__readers` is how many threads read, `__cur_writer` the number of the writer plus 1, or
// 0. Readers do not wait for writers that wait (`__writers`), unless the lock prefers these, which is its kind
// (`__flags`) PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; the other kinds prefer readers in the GNU C library. What
// that answers without a locked instruction (a try that fails, EDEADLK for the writer itself) drains nothing here
// either. Which locks a thread holds to read, it knows by itself.
#include <pthread.h>

#include "internal.h"

enum { kDestroyed = -1, kMostReadLocks = 8 };

static _Thread_local int write_locks;  // held by this thread
static _Thread_local int read_locks;
static _Thread_local const pthread_rwlock_t* read_held[kMostReadLocks];  // the first `read_locks` of them

static void remember_reading(const pthread_rwlock_t* lock) {
  if (read_locks == kMostReadLocks) __weir_give_up("a thread holds more than 8 read locks");
  read_held[read_locks++] = lock;
}

// Was it held?
static int forget_reading(const pthread_rwlock_t* lock) {
  for (int i = read_locks - 1; i >= 0; i--) {
    if (read_held[i] != lock) continue;
    read_held[i] = read_held[--read_locks];
    read_held[read_locks] = NULL;
    return 1;
  }
  return 0;
}

static int writer_word(void) { return __weir_self() + 1; }

static int writer_of(const pthread_rwlock_t* lock) {
  int writer = read_int(&lock->__data.__cur_writer);
  if (writer == kDestroyed) __weir_fail("uses a read-write lock that was destroyed");
  return writer;
}

static unsigned readers_of(const pthread_rwlock_t* lock) {
  return __atomic_load_n(&lock->__data.__readers, __ATOMIC_ACQUIRE);
}

static int writes_already(const pthread_rwlock_t* lock) {
  return write_locks > 0 && writer_of(lock) == writer_word();
}

// In an atomic block each.
static int prefers_writers(const pthread_rwlock_t* lock) {
  return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}
static int can_read(const pthread_rwlock_t* lock) {
  return writer_of(lock) == 0 && !(prefers_writers(lock) && lock->__data.__writers > 0);
}
static int can_write(const pthread_rwlock_t* lock) { return writer_of(lock) == 0 && readers_of(lock) == 0; }

static void take_to_read(pthread_rwlock_t* lock) {
  lock->__data.__readers++;
  remember_reading(lock);
}

static void take_to_write(pthread_rwlock_t* lock) {
  lock->__data.__cur_writer = writer_word();
  write_locks++;
}

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  lock->__data.__readers = 0;
  lock->__data.__writers = 0;
  lock->__data.__cur_writer = 0;
  lock->__data.__flags = attributes ? (unsigned)*(const long*)attributes : 0;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (writer_of(lock) != 0 || readers_of(lock) != 0) __weir_fail("destroys a locked read-write lock");
  lock->__data.__cur_writer = kDestroyed;
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (writes_already(lock)) return EDEADLK;
  __weir_atomic_begin("locks a read-write lock to read");
  __weir_wait_until(can_read(lock));
  take_to_read(lock);
  __weir_atomic_end();
  return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (writes_already(lock)) return EDEADLK;
  __weir_atomic_begin("locks a read-write lock to write");
  int queues = prefers_writers(lock) && !can_write(lock);
  if (queues) {
    lock->__data.__writers++;
  } else {
    __weir_wait_until(can_write(lock));
    take_to_write(lock);
  }
  __weir_atomic_end();
  if (!queues) return 0;
  __weir_atomic_begin("locks a read-write lock to write, after waiting");
  __weir_wait_until(can_write(lock));
  lock->__data.__writers--;
  take_to_write(lock);
  __weir_atomic_end();
  return 0;
}

static int read_if_possible(pthread_rwlock_t* lock) {
  __weir_atomic_begin("locks a read-write lock to read, if possible");
  int possible = can_read(lock);
  if (possible) take_to_read(lock);
  __weir_atomic_end();
  return possible;
}

static int write_if_possible(pthread_rwlock_t* lock) {
  __weir_atomic_begin("locks a read-write lock to write, if possible");
  int possible = can_write(lock);
  if (possible) take_to_write(lock);
  __weir_atomic_end();
  return possible;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return writer_of(lock) == 0 && read_if_possible(lock) ? 0 : EBUSY;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  return writer_of(lock) == 0 && readers_of(lock) == 0 && write_if_possible(lock) ? 0 : EBUSY;
}

// These may time out whenever the lock cannot be had.
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  if (!valid_time(deadline)) return EINVAL;
  if (writes_already(lock)) return EDEADLK;
  return read_if_possible(lock) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  if (!valid_time(deadline)) return EINVAL;
  if (writes_already(lock)) return EDEADLK;
  return write_if_possible(lock) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  (void)clock;
  return pthread_rwlock_timedrdlock(lock, deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  (void)clock;
  return pthread_rwlock_timedwrlock(lock, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  __weir_atomic_begin("unlocks a read-write lock");
  int writer = writer_of(lock);
  if (writer == writer_word()) {
    lock->__data.__cur_writer = 0;
    write_locks--;
  } else {
    if (!forget_reading(lock)) __weir_fail("unlocks a read-write lock that it does not hold");
    lock->__data.__readers--;
  }
  __weir_atomic_end();
  return 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
  *(long*)attributes = 0;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attributes) {
  (void)attributes;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t* attributes, int shared) {
  (void)attributes;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t* attributes, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  *(long*)attributes = kind;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t* attributes, int* kind) {
  *kind = (int)*(const long*)attributes;
  return 0;
}
