// Unnamed semaphores. The value is the number (a long) that the type starts with. A sem_trywait that finds 0
// is only a load, and drains nothing, as in the GNU C library.
#include <limits.h>
#include <semaphore.h>

#include "internal.h"

enum { kDestroyed = -1 };

static long* value_of(sem_t* semaphore) { return (long*)semaphore; }

static long value_now(sem_t* semaphore) {
  long value = read_long(value_of(semaphore));
  if (value == kDestroyed) __weir_fail("uses a semaphore that was destroyed");
  return value;
}

static int fail_with(int error) {
  errno = error;
  return -1;
}

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL);
  *value_of(semaphore) = value;
  return 0;
}

int sem_destroy(sem_t* semaphore) {
  value_now(semaphore);
  *value_of(semaphore) = kDestroyed;
  return 0;
}

int sem_post(sem_t* semaphore) {
  __weir_atomic_begin("posts a semaphore");
  long value = value_now(semaphore);
  int full = value == SEM_VALUE_MAX;
  if (!full) *value_of(semaphore) = value + 1;
  __weir_atomic_end();
  return full ? fail_with(EOVERFLOW) : 0;
}

int sem_wait(sem_t* semaphore) {
  __weir_atomic_begin("waits for a semaphore");
  long value = value_now(semaphore);
  __weir_wait_until(value > 0);
  *value_of(semaphore) = value - 1;
  __weir_atomic_end();
  return 0;
}

// Takes one if there is one, and never waits.
static int take_one(sem_t* semaphore) {
  __weir_atomic_begin("takes one from a semaphore, if there is one");
  long value = value_now(semaphore);
  if (value > 0) *value_of(semaphore) = value - 1;
  __weir_atomic_end();
  return value > 0;
}

int sem_trywait(sem_t* semaphore) {
  if (value_now(semaphore) == 0 || !take_one(semaphore)) return fail_with(EAGAIN);
  return 0;
}

// It may time out whenever the value is 0.
int sem_timedwait(sem_t* semaphore, const struct timespec* deadline) {
  if (!valid_time(deadline)) return fail_with(EINVAL);
  return take_one(semaphore) ? 0 : fail_with(ETIMEDOUT);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* deadline) {
  (void)clock;
  return sem_timedwait(semaphore, deadline);
}

int sem_getvalue(sem_t* semaphore, int* value) {
  *value = (int)value_now(semaphore);
  return 0;
}
