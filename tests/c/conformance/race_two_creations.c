// expect: all unsafe race
// options: --races
// Two threads have pthread_create write to the same variable.
#include <pthread.h>

static pthread_t newest;

static void* nothing(void* unused) { return unused; }

static void* creator(void* unused) {
  pthread_create(&newest, NULL, nothing, NULL);
  return unused;
}

int main(void) {
  pthread_t first;
  pthread_create(&first, NULL, creator, NULL);
  pthread_create(&newest, NULL, nothing, NULL);
  pthread_join(first, NULL);
  return 0;
}
