// expect: all safe
// native: 0
// Returning from main ends the process: destructors of its thread-specific values do not run.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void* value) { assert(value == NULL); }

int main(void) {
  static int x;
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &x);
  return 0;
}
