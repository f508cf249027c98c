// expect: all safe
// native: 0
// Atomic bytes and shorts in a structure on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct status {
  atomic_uchar flags;
  _Atomic short level;
  atomic_bool done;
};

static void* worker(void* argument) {
  struct status* s = argument;
  atomic_fetch_or(&s->flags, 4);
  atomic_fetch_sub(&s->level, 5);
  s->done = 1;
  return NULL;
}

int main(void) {
  struct status* s = malloc(sizeof *s);
  atomic_init(&s->flags, 1);
  atomic_init(&s->level, 2);
  atomic_init(&s->done, 0);
  pthread_t t;
  pthread_create(&t, NULL, worker, s);
  atomic_fetch_or(&s->flags, 2);
  while (!s->done) {
  }
  assert(s->level == -3);
  pthread_join(t, NULL);
  assert(s->flags == 7);
  free(s);
  return 0;
}
