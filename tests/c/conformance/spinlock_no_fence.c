// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Unlocking a spin lock is a plain store: a store inside the section may become visible after a load behind
// it.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t a, b;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  pthread_spin_lock(&a);
  x = 1;
  pthread_spin_unlock(&a);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  pthread_spin_lock(&b);
  y = 1;
  pthread_spin_unlock(&b);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_spin_init(&a, 0);
  pthread_spin_init(&b, 0);
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
