// expect: sc safe, tso safe, pso unsafe assertion
// The queue lock of Craig, Landin and Hagersten: a thread swaps its node in and spins on the node of its
// predecessor, which becomes its own when it leaves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  atomic_int locked;
};

static struct node free_node, nodes[2];
static struct node* _Atomic tail = &free_node;

static struct node* lock(struct node* mine) {
  atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
  struct node* before = atomic_exchange(&tail, mine);
  while (atomic_load_explicit(&before->locked, memory_order_relaxed)) {
  }
  return before;
}

// Returns the node to use next time.
static struct node* unlock(struct node* mine, struct node* before) {
  atomic_store_explicit(&mine->locked, 0, memory_order_relaxed);
  return before;
}

static int count;

static void* worker(void* argument) {
  struct node* mine = argument;
  for (int round = 0; round < 2; round++) {
    struct node* before = lock(mine);
    count++;
    mine = unlock(mine, before);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 4);
  return 0;
}
