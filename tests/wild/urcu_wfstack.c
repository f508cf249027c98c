// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfstack.h>

static struct cds_wfs_stack stack;
static struct cds_wfs_node nodes[2];

static void *push(void *me) {
  cds_wfs_node_init(&nodes[(long)me]);
  cds_wfs_push(&stack, &nodes[(long)me]);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  cds_wfs_init(&stack);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, push, (void *)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
  int found = 0;
  while (__cds_wfs_pop_blocking(&stack)) found++;
  assert(found == 2);
  return 0;
}
