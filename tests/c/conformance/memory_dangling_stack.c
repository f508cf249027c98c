// expect: all unsafe memory
// A thread writes to a local variable of a function that has returned.
#include <pthread.h>

static pthread_t thread;

static void* worker(void* argument) {
  *(int*)argument = 1;
  return NULL;
}
static void start(void) {
  int local = 0;
  pthread_create(&thread, NULL, worker, &local);
}
static void* starter(void* unused) {
  start();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, starter, NULL);
  pthread_join(t, NULL);
  pthread_join(thread, NULL);
  return 0;
}
