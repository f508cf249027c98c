// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
// defect: urcu/arch/x86.h | __asm__ __volatile__ ("mfence":::"memory") | __asm__ __volatile__ ("":::"memory") | tso
#include <assert.h>
#include <pthread.h>
#include <urcu/arch.h>
#include <urcu/system.h>

static int wants[2], inside;

static void *enter(void *argument) {
  long me = (long)argument;
  CMM_STORE_SHARED(wants[me], 1);
  cmm_smp_mb();
  if (!CMM_LOAD_SHARED(wants[1 - me])) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, enter, (void *)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
