// expect: sc safe, tso safe
// native: 0
// Threads in a loop, each with its own element.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 5 };
static int results[kThreads];

static void* worker(void* argument) {
  int* mine = argument;
  *mine = (int)(mine - results) + 1;
  return NULL;
}

int main(void) {
  pthread_t t[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&t[i], NULL, worker, &results[i]);
  int sum = 0;
  for (int i = 0; i < kThreads; i++) {
    pthread_join(t[i], NULL);
    sum += results[i];
  }
  assert(sum == 15);
  return 0;
}
