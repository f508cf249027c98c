// expect: all safe
// native: 0
// Threads that run recursive functions with shared data and frames of their own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int leaves;

static int depth_of(int n) {
  int own[2] = {n, n + 1};
  if (n == 0) {
    leaves++;
    return 1;
  }
  int below = depth_of(n - 1);
  return below + (own[1] - own[0]);
}
static void* worker(void* result) {
  *(int*)result = depth_of(3);
  return NULL;
}

int main(void) {
  int results[2];
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &results[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(results[0] == 4 && results[1] == 4 && leaves == 2);
  return 0;
}
