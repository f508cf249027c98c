// expect: all unsafe race
// options: --races
// message: data race on hits
// A lock that readers share does not order them.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  hits++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  reader(NULL);
  pthread_join(thread, NULL);
  return 0;
}
