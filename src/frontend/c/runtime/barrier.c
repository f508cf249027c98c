// Barriers. The first 8 bytes are the set of the threads that have arrived, the byte after them is how many
// there must be. The last one wakes the others and leaves the barrier as it was at first, so it can be used
// again at once.
#include <pthread.h>

#include "internal.h"

static thread_set* arrived_at(pthread_barrier_t* barrier) { return (thread_set*)barrier; }
static unsigned char* size_of(pthread_barrier_t* barrier) {
  return (unsigned char*)barrier + sizeof(thread_set);
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  *arrived_at(barrier) = 0;
  *size_of(barrier) =
      count < 255 ? (unsigned char)count : 255;  // never complete: there are at most 64 threads
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  __weir_atomic_begin("destroys a barrier");
  if (*arrived_at(barrier) != 0) __weir_fail("destroys a barrier that a thread waits at");
  *size_of(barrier) = 0;
  __weir_atomic_end();
  return 0;
}

static int members(thread_set set) {
  int count = 0;
  for (; set != 0; set &= set - 1) count++;
  return count;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
  __weir_atomic_begin("arrives at a barrier");
  int size = *size_of(barrier);
  if (size == 0) __weir_fail("waits at a barrier that is not initialised");
  thread_set others = *arrived_at(barrier);
  int is_last = members(others) + 1 == size;
  if (is_last) {
    *arrived_at(barrier) = 0;
    __weir_wake_all(others);
  } else {
    *arrived_at(barrier) = others | only(__weir_self());
    __weir_fall_asleep();
  }
  __weir_atomic_end();
  if (is_last) return PTHREAD_BARRIER_SERIAL_THREAD;
  __weir_atomic_begin("leaves a barrier");
  __weir_wait_until(!__weir_sleeps());
  __weir_atomic_end();
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t* attributes) {
  *(int*)attributes = 0;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t* attributes) {
  (void)attributes;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t* attributes, int shared) {
  (void)attributes;
  return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}
