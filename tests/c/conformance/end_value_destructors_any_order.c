// expect: all unsafe assertion
// Destructors of thread-specific values run in any order.
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;
static int first_ran;

static void end_first(void* unused) {
  (void)unused;
  first_ran = 1;
}
static void end_second(void* unused) {
  (void)unused;
  assert(first_ran);
}

static void* work(void* unused) {
  pthread_setspecific(first, &first_ran);
  pthread_setspecific(second, &first_ran);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&first, end_first);
  pthread_key_create(&second, end_second);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
