// explore sc mazurkiewicz 1
// explore sc observers 1
// explore sc rf 1
// explore tso mazurkiewicz 1
// explore pso rf 1
//
// Four threads create a thread each. Nobody can tell which of them was first.
#include <pthread.h>
#include <stddef.h>

enum { PARENTS = 4 };

static void* child(void* unused) { return unused; }

static void* parent(void* unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, child, NULL);
  pthread_join(thread, NULL);
  return unused;
}

int main(void) {
  pthread_t threads[PARENTS];
  for (int i = 0; i < PARENTS; i++) pthread_create(&threads[i], NULL, parent, NULL);
  for (int i = 0; i < PARENTS; i++) pthread_join(threads[i], NULL);
  return 0;
}
