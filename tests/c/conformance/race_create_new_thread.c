// expect: all unsafe race
// options: --races
// message: data race on thread
// The new thread may run before pthread_create has stored its id.
#include <pthread.h>

static pthread_t thread;

static void* worker(void* unused) { return pthread_equal(thread, pthread_self()) ? unused : NULL; }

int main(void) {
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
