// expect: all unsafe
// Division by a number that can be zero.
#include <pthread.h>

static volatile int divisor = 1;

static void* worker(void* unused) {
  divisor = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int d = divisor;
  int result = 10 / d;
  pthread_join(t, NULL);
  return result;
}
