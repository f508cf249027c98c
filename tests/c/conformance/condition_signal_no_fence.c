// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// A signal that finds nobody waiting is a load: it does not drain the buffer.
#include <assert.h>
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  pthread_cond_signal(&condition);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  pthread_cond_broadcast(&condition);
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
