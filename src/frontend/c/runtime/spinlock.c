// Spin locks, as on x86: locking is a locked instruction, which drains the store buffer; unlocking is a plain
// store, which does not, and is seen by others when it leaves the buffer. As in the GNU C library a free lock
// is 1; one that was never initialised is 0.
#include <pthread.h>

#include "internal.h"

enum { kFree = 1, kNeverInitialised = 0 };

static int held_by_self(void) { return -1 - __weir_self(); }

static int* word_of(pthread_spinlock_t* lock) { return (int*)lock; }

int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  (void)shared;
  *word_of(lock) = kFree;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (read_int(word_of(lock)) < 0) __weir_fail("destroys a locked spin lock");
  *word_of(lock) = kNeverInitialised;
  return 0;
}

// In an atomic block.
static int is_free(pthread_spinlock_t* lock) {
  int word = *word_of(lock);
  if (word == kNeverInitialised) __weir_fail("locks a spin lock that is not initialised");
  return word == kFree;
}

static void take(pthread_spinlock_t* lock) {
  *word_of(lock) = held_by_self();
  __weir_remember_lock(word_of(lock));
}

int pthread_spin_lock(pthread_spinlock_t* lock) {
  __weir_atomic_begin("locks a spin lock");
  __weir_wait_until(is_free(lock));
  take(lock);
  __weir_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* lock) {
  __weir_atomic_begin("tries to lock a spin lock");
  int free = is_free(lock);
  if (free) take(lock);
  __weir_atomic_end();
  return free ? 0 : EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!__weir_forget_lock(word_of(lock)) && read_int(word_of(lock)) != held_by_self()) {
    __weir_fail("unlocks a spin lock that it does not hold");
  }
  __atomic_store_n(word_of(lock), kFree, __ATOMIC_RELEASE);
  return 0;
}
