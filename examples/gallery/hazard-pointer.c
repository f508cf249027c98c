// expect: sc unsafe memory, tso unsafe memory, pso unsafe memory
// Use after free by hazard pointer: the reader announces what it reads, but does not look again whether that is still
// the current object before it reads from it. The writer looked before the announcement and frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  int data;
};

static struct object* _Atomic current;
static struct object* _Atomic hazard;

static struct object* make(int data) {
  struct object* o = malloc(sizeof *o);
  o->data = data;
  return o;
}

static void* reader(void* unused) {
  struct object* o = current;
  hazard = o;
  int data = o->data;
  (void)data;
  hazard = NULL;
  return unused;
}

static void* writer(void* unused) {
  struct object* old = atomic_exchange(&current, make(2));
  while (hazard == old) {
  }
  free(old);
  return unused;
}

int main(void) {
  current = make(1);
  pthread_t one, two;
  pthread_create(&one, NULL, reader, NULL);
  pthread_create(&two, NULL, writer, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(current);
}
