// expect: all unsafe assertion
// A main that leaves by pthread_exit is a thread like others: its destructors run.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void* value) { assert(value == NULL); }

int main(void) {
  static int x;
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &x);
  pthread_exit(NULL);
}
