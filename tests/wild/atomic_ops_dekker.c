// expect: sc safe, tso safe
// package: libatomic-ops-dev
// defect: atomic_ops/sysdeps/gcc/generic.h | __atomic_thread_fence(__ATOMIC_SEQ_CST); | AO_compiler_barrier(); | tso
#include <assert.h>
#include <atomic_ops.h>
#include <pthread.h>

static AO_t wants[2];
static int inside;

static void *enter(void *argument) {
  long me = (long)argument;
  AO_store(&wants[me], 1);
  AO_nop_full();
  if (!AO_load(&wants[1 - me])) {
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
