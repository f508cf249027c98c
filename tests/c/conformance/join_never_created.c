// expect: all unsafe assertion
// message: never created
// Joining what was never a thread.
#include <pthread.h>

static pthread_t thread;

int main(void) {
  pthread_join(thread, NULL);
  return 0;
}
