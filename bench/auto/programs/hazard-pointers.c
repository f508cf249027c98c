// expect: tso safe
// Hazard pointers: a reader announces what it is about to use and looks again whether it is still current; the writer
// replaces it, and releases what nobody has announced. The reader's announcement is an exchange, the writer has a
// fence between replacing and looking.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef VERSIONS
#define VERSIONS 2
#endif

struct Node {
  int value;
};

static _Atomic(struct Node*) current;
static _Atomic(struct Node*) announced[READERS];

static struct Node* new_node(int value) {
  struct Node* node = malloc(sizeof *node);
  node->value = value;
  return node;
}

static void* reader(void* argument) {
  _Atomic(struct Node*)* const mine = argument;
  struct Node* node = atomic_load_explicit(&current, memory_order_acquire);
  for (;;) {
    atomic_exchange(mine, node);
    struct Node* const again = atomic_load_explicit(&current, memory_order_acquire);
    if (again == node) break;
    node = again;
  }
  assert(node->value > 0);
  atomic_store_explicit(mine, NULL, memory_order_release);
  return NULL;
}

static void replace(int value) {
  struct Node* const old = atomic_load_explicit(&current, memory_order_relaxed);
  atomic_store_explicit(&current, new_node(value), memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < READERS; i++)
    while (atomic_load_explicit(&announced[i], memory_order_acquire) == old) {
    }
  free(old);
}

int main(void) {
  pthread_t threads[READERS];
  atomic_store(&current, new_node(1));
  for (int i = 0; i < READERS; i++) pthread_create(&threads[i], NULL, reader, &announced[i]);
  for (int v = 0; v < VERSIONS; v++) replace(v + 2);
  for (int i = 0; i < READERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
