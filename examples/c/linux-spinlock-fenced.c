// expect: all safe
// The spin lock of Linux for x86 with a store barrier before the unlocking store: what a machine like PSO
// needs, and what Linux did for the few x86 clones that reordered stores (CONFIG_X86_OOSTORE).
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
  __asm__ volatile("sfence" ::: "memory");
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
