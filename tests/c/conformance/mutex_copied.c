// expect: sc safe, tso safe
// native: 0
// Mutexes made by assigning the initialiser, and in an array of structures.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cell {
  int value;
  pthread_mutex_t mutex;
};
static struct cell cells[2];

static void* worker(void* argument) {
  struct cell* c = argument;
  pthread_mutex_lock(&c->mutex);
  c->value++;
  pthread_mutex_unlock(&c->mutex);
  return NULL;
}

int main(void) {
  struct cell* heap = malloc(sizeof *heap);
  heap->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  heap->value = 0;
  for (int i = 0; i < 2; i++) cells[i].mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_t t[3];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &cells[i]);
  pthread_create(&t[2], NULL, worker, heap);
  worker(&cells[1]);
  worker(heap);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(cells[0].value == 1 && cells[1].value == 2 && heap->value == 2);
  free(heap);
  return 0;
}
