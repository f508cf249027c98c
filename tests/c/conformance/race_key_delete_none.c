// expect: all safe
// options: --races
// A key is deleted while a thread with a value ends: the C library orders these itself.
#include <pthread.h>

static pthread_key_t key;

static void forget(void* value) { (void)value; }

static void* keeper(void* value) {
  pthread_setspecific(key, value);
  return NULL;
}

int main(void) {
  int mine = 1;
  pthread_t thread;
  pthread_key_create(&key, forget);
  pthread_create(&thread, NULL, keeper, &mine);
  pthread_key_delete(key);
  pthread_join(thread, NULL);
  return 0;
}
