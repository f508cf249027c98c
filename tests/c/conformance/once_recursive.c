// expect: all unsafe deadlock
// A function that calls pthread_once for itself waits for ever.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int depth;

static void again(void) {
  depth++;
  pthread_once(&once, again);
}

int main(void) {
  pthread_once(&once, again);
  return depth;
}
