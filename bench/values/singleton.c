// N threads store a letter, all but one the same; main joins them and looks which one it is: N! orders, N
// sources for the read, two values. The assertion that the one came last can fail.
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int letter;

static void* writer(void* value) {
  store(&letter, number_of(value));
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) threads[i] = start(writer, i == 0 ? 'X' : 'Y');
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  assert(load(&letter) == 'X');
  return 0;
}
