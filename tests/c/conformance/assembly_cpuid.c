// expect: all safe
// native: 0
// cpuid drains the store buffer.
#include <assert.h>
#include <pthread.h>

static int wants[2], inside;

static void* enter(void* argument) {
  long me = (long)argument;
  __atomic_store_n(&wants[me], 1, __ATOMIC_RELAXED);
  __asm__ volatile("cpuid" ::"a"(0) : "ebx", "ecx", "edx", "memory");
  if (!__atomic_load_n(&wants[1 - me], __ATOMIC_RELAXED)) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, enter, (void*)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
