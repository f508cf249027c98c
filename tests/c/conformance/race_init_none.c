// expect: all safe
// options: --races
// What is done before a thread is created, or after it is joined, does not race with it.
#include <pthread.h>

static int shared;

static void* worker(void* unused) {
  shared++;
  return unused;
}

int main(void) {
  pthread_t t;
  shared = 1;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  shared++;
  return shared != 3;
}
