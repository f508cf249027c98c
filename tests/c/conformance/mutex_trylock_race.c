// expect: all unsafe assertion
// message: entered == 2
// A trylock can fail, then the work is not done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int entered;

static void* worker(void* unused) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    entered++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(entered == 2);
  return 0;
}
