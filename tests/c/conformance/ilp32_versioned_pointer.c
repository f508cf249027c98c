// expect: all safe
// compiler: -m32
// A pointer and a version number in one word of 64 bits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};
struct versioned {
  struct node *node;
  unsigned version;
};
static _Atomic struct versioned top;

static void push(struct node *node) {
  struct versioned old = atomic_load(&top), new;
  do {
    node->next = old.node;
    new = (struct versioned){node, old.version + 1};
  } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static void *worker(void *node) {
  push(node);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct node *nodes = calloc(2, sizeof *nodes);
  pthread_create(&thread, NULL, worker, &nodes[1]);
  nodes[0].value = 1;
  push(&nodes[0]);
  pthread_join(thread, NULL);
  struct versioned end = atomic_load(&top);
  assert(end.version == 2 && end.node->next->next == NULL && end.node->value + end.node->next->value == 1);
  free(nodes);
  return 0;
}
