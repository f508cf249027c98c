// expect: all unsafe race
// options: --races
// message: data race on key
// pthread_key_create writes the key, while another thread uses it.
#include <pthread.h>

static pthread_key_t key;

static void* user(void* unused) {
  (void)pthread_getspecific(key);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  pthread_key_create(&key, NULL);
  pthread_join(thread, NULL);
  return 0;
}
