// expect: all safe
// Creating a thread drains the buffer.
#include <assert.h>
#include <pthread.h>

static void* nothing(void* unused) { return unused; }
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  pthread_t t;
  pthread_create(&t, NULL, nothing, NULL);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  pthread_t t;
  pthread_create(&t, NULL, nothing, NULL);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
