// main moves an index on before it starts each of N threads, which mark the entry that the index is at when
// they look; the sum of all marks should be N, but threads can see the same index (SV-COMP's sigma).
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int index_now, marks[N];

static void* marker(void* unused) {
  store(&marks[load(&index_now)], 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) {
    store(&index_now, i);
    threads[i] = start(marker, i);
  }
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < N; i++) sum += load(&marks[i]);
  assert(sum == N);
  return 0;
}
