// expect: all unsafe assertion
// Sleeping orders nothing.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static volatile int done;

static void* worker(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  sleep(1);
  usleep(1000);
  sched_yield();
  assert(done);
  return 0;
}
