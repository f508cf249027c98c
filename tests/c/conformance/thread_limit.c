// expect: all unknown
// options: --threads 2
// message: --threads
// More threads than allowed: no answer `safe`.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
