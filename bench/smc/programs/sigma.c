// Each of N threads marks the entry that an index is at; main moves it on before it creates them.
#include "threads.h"

static atomic_int place, marks[N];

static void* marker(void* unused) {
  store(&marks[load(&place)], 1);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&place, 0);
  init_all(marks, N, 0);
  for (int i = 0; i < N; i++) {
    store(&place, i);
    pthread_create(&threads[i], NULL, marker, NULL);
  }
  join_all(threads, N);
  return 0;
}
