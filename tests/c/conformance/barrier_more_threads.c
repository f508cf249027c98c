// expect: sc safe, tso safe
// native: 0
// A barrier for two that four threads use: two rounds, whoever meets whom.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void* worker(void* unused) {
  if (pthread_barrier_wait(&barrier)) serial++;
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  worker(NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(serial == 2);
  return 0;
}
