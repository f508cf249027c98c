// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
// defect: urcu/ref.h | if (res == 0) | if (res <= 1) | sc
// An object is released once, by who has the last reference to it.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <urcu/ref.h>

static struct object {
  struct urcu_ref ref;
  int value;
} *object;

static void release(struct urcu_ref *ref) { free(caa_container_of(ref, struct object, ref)); }

static void *use(void *none) {
  assert(object->value == 1);
  urcu_ref_put(&object->ref, release);
  return none;
}

int main(void) {
  pthread_t other;
  object = malloc(sizeof *object);
  urcu_ref_init(&object->ref);
  object->value = 1;
  urcu_ref_get(&object->ref);
  pthread_create(&other, 0, use, 0);
  use(0);
  pthread_join(other, 0);
  return 0;
}
