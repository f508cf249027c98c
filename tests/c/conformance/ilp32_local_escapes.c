// expect: all unsafe memory
// compiler: -m32
// A pointer to a variable of a function that has returned.
#include <pthread.h>

static int *shared;

static void publish(void) {
  int local = 1;
  shared = &local;
}

static void *reader(void *unused) {
  return *shared ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  publish();
  pthread_create(&thread, NULL, reader, NULL);
  pthread_join(thread, NULL);
  return 0;
}
