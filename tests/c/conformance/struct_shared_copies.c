// expect: sc unsafe assertion, tso unsafe assertion, pso unsafe assertion
// Assigning a structure copies its members one by one: another thread can see half of it.
#include <assert.h>
#include <pthread.h>

struct pair {
  int a, b;
};
static struct pair shared, one = {1, 1};

static void* writer(void* unused) {
  shared = one;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  struct pair seen = shared;
  assert(seen.a == seen.b);
  pthread_join(t, NULL);
  return 0;
}
