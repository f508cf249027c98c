// expect: sc safe, tso safe, pso unsafe assertion
// The spin lock of Linux for x86, as it was until 2008: in assembly.
//
// The byte is 1 when the lock is free. A locked decrement takes it; who gets less than 0 waits for it to
// become positive and tries again. Unlocking is a plain `mov`: Linux argued for years whether that is enough.
// On x86 (TSO) it is; on a machine like PSO it is not.
#include <assert.h>
#include <pthread.h>

typedef struct {
  volatile int free;
} spinlock;

static void spin_lock(spinlock* lock) {
  for (;;) {
    int taken = -1;
    __asm__ volatile("lock; xaddl %0,%1" : "+r"(taken), "+m"(lock->free) : : "memory");
    if (taken == 1) return;
    while (lock->free <= 0) __asm__ volatile("rep; nop" ::: "memory");
  }
}

static void spin_unlock(spinlock* lock) {
  __asm__ volatile("" ::: "memory");
  lock->free = 1;
}

static spinlock lock = {1};
static int first, second;

static void* worker(void* unused) {
  spin_lock(&lock);
  assert(first == second);
  first++;
  second++;
  spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
