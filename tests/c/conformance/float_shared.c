// expect: all safe
// native: 0
// Floating point in shared memory, and an atomic double.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static double sums[2];
static _Atomic double total;
static float ratios[3] = {0.5f, 1.5f, -2.0f};

static void* worker(void* argument) {
  double* sum = argument;
  for (int i = 0; i < 3; i++) *sum += ratios[i];
  double old = atomic_load(&total);
  while (!atomic_compare_exchange_weak(&total, &old, old + *sum)) {
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  sums[1] = 1;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &sums[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(sums[0] == 0 && sums[1] == 1 && total == 1.0);
  return 0;
}
