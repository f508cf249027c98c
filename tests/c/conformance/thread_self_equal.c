// expect: all safe
// native: 0
// pthread_self and pthread_equal.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread, other;
static int same;

static void* worker(void* unused) {
  assert(!pthread_equal(pthread_self(), main_thread));
  same = pthread_equal(pthread_self(), other) != 0;  // the creator stores it before this thread runs
  return unused;
}

int main(void) {
  main_thread = pthread_self();
  assert(pthread_equal(main_thread, pthread_self()));
  assert(pthread_create(&other, NULL, worker, NULL) == 0);
  assert(!pthread_equal(other, main_thread));
  pthread_join(other, NULL);
  assert(same);
  return 0;
}
