// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
// defect: urcu/static/lfstack.h | if (old_head == head) | if (1) | sc
// Two threads push, and all is there.
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void *push(void *node) {
  cds_lfs_node_init(node);
  cds_lfs_push(&stack, node);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  cds_lfs_init(&stack);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, push, &nodes[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  int found = 0;
  while (__cds_lfs_pop((cds_lfs_stack_ptr_t){.s = &stack})) found++;
  assert(found == 2);
  return 0;
}
