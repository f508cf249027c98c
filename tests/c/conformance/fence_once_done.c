// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// pthread_once for what is done already is a load: it does not drain the buffer.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void nothing(void) {}
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  pthread_once(&once, nothing);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  pthread_once(&once, nothing);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_once(&once, nothing);
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
