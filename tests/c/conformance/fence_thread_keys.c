// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Thread-specific values are private: using them does not drain the buffer.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  pthread_setspecific(key, &r1);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  pthread_setspecific(key, &r1);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, NULL);
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
