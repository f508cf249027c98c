// expect: all safe
// native: 0
// Detached threads, by call and by attribute; main waits for them on its own.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int done;

static void* worker(void* unused) {
  done++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int state;
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attributes, worker, NULL);
  pthread_attr_destroy(&attributes);
  pthread_create(&b, NULL, worker, NULL);
  assert(pthread_detach(b) == 0);
  while (done < 2) sched_yield();
  return 0;
}
