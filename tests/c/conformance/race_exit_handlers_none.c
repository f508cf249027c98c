// expect: all safe
// options: --races
// main registers a function while another thread calls exit: the C library orders these itself.
#include <pthread.h>
#include <stdlib.h>

static void at_the_end(void) {}

static void* leaver(void* unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, leaver, NULL);
  atexit(at_the_end);
  pthread_join(thread, NULL);
  return 0;
}
