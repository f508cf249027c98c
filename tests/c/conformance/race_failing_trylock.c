// expect: all unsafe race
// options: --races
// That a lock is taken by somebody tells nothing about what that one did before.
#include <pthread.h>

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* writer(void* unused) {
  data = 1;
  pthread_mutex_lock(&taken);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (pthread_mutex_trylock(&taken) != 0)
    data = 2;
  else
    pthread_mutex_unlock(&taken);
  pthread_join(thread, NULL);
  return 0;
}
