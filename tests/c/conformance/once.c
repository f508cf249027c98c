// expect: all safe
// native: 0
// pthread_once: the function runs once, and everybody who returns sees what it did.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs, value;

static void initialise(void) {
  value = 42;
  runs++;
}
static void* worker(void* unused) {
  pthread_once(&control, initialise);
  assert(value == 42);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_once(&control, initialise);
  assert(value == 42);
  pthread_join(t, NULL);
  pthread_once(&control, initialise);
  assert(runs == 1);
  return 0;
}
