// expect: all safe
// native: 0
// Thread-specific values with a destructor that runs when the thread ends.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key, other;
static int destroyed;

static void destroy(void* value) {
  destroyed += *(int*)value;
  free(value);
}
static void* worker(void* unused) {
  assert(pthread_getspecific(key) == NULL);
  int* value = malloc(sizeof *value);
  *value = 7;
  pthread_setspecific(key, value);
  pthread_setspecific(other, &destroyed);
  assert(pthread_getspecific(key) == value && pthread_getspecific(other) == &destroyed);
  return unused;
}

int main(void) {
  assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&other, NULL) == 0);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(destroyed == 7 && pthread_getspecific(key) == NULL);
  assert(pthread_key_delete(key) == 0 && pthread_key_delete(other) == 0);
  return 0;
}
