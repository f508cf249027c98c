// Read-write locks: `__readers` is how many threads read, `__cur_writer` the number of the writer plus 1, or
// 0. Readers do not wait for writers that wait: the GNU C library prefers readers, unless told otherwise,
// which is not supported. What that answers without a locked instruction (a try that fails, EDEADLK for the
// writer itself) drains nothing here either. How many read locks a thread holds, it counts by itself, over
// all locks together.
#include <pthread.h>

#include "internal.h"

enum { kDestroyed = -1 };

static _Thread_local int read_locks, write_locks;  // held by this thread

static int writer_word(void) { return __weir_self() + 1; }

static int writer_of(const pthread_rwlock_t* lock) {
  int writer = relaxed_int(&lock->__data.__cur_writer);
  if (writer == kDestroyed) __weir_fail("uses a read-write lock that was destroyed");
  return writer;
}

static unsigned readers_of(const pthread_rwlock_t* lock) {
  return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED);
}

static int writes_already(const pthread_rwlock_t* lock) {
  return write_locks > 0 && writer_of(lock) == writer_word();
}

// In an atomic block each.
static int can_read(const pthread_rwlock_t* lock) { return writer_of(lock) == 0; }
static int can_write(const pthread_rwlock_t* lock) { return writer_of(lock) == 0 && readers_of(lock) == 0; }

static void take_to_read(pthread_rwlock_t* lock) {
  lock->__data.__readers++;
  read_locks++;
}

static void take_to_write(pthread_rwlock_t* lock) {
  lock->__data.__cur_writer = writer_word();
  write_locks++;
}

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  (void)attributes;
  lock->__data.__readers = 0;
  lock->__data.__cur_writer = 0;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (writer_of(lock) != 0 || readers_of(lock) != 0) __weir_fail("destroys a locked read-write lock");
  __atomic_store_n(&lock->__data.__cur_writer, kDestroyed, __ATOMIC_RELAXED);
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
  __weir_wait_until(can_write(lock));
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

int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  __weir_atomic_begin("unlocks a read-write lock");
  int writer = writer_of(lock);
  if (writer == writer_word()) {
    lock->__data.__cur_writer = 0;
    write_locks--;
  } else {
    if (writer != 0 || readers_of(lock) == 0 || read_locks == 0) {
      __weir_fail("unlocks a read-write lock that it does not hold");
    }
    lock->__data.__readers--;
    read_locks--;
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
