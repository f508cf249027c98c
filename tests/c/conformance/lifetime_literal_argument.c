// expect: all unsafe memory
// message: compound literal
// A thread gets a compound literal of a function that returns at once.
#include <assert.h>
#include <pthread.h>

struct pair {
  int a, b;
};

static void* work(void* argument) {
  const struct pair* pair = argument;
  assert(pair->a + pair->b == 3);
  return NULL;
}

static void start(pthread_t* thread) { pthread_create(thread, NULL, work, &(struct pair){1, 2}); }

int main(void) {
  pthread_t t;
  start(&t);
  pthread_join(t, NULL);
  return 0;
}
