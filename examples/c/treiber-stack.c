// expect: all unsafe memory
// Treiber's lock-free stack, with the mistake that everybody makes once: `pop` releases the node at once.
//
// Another thread may have read the same top and is about to read its `next`. This is no matter of weak
// memory. treiber-stack-fixed.c releases nodes when nobody can hold them any more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

static struct node* _Atomic top;

static void push(int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &node->next, node)) {
  }
}

static int pop(int* value) {
  struct node* node = atomic_load(&top);
  while (node != NULL && !atomic_compare_exchange_weak(&top, &node, node->next)) {
  }
  if (node == NULL) return 0;
  *value = node->value;
  free(node);
  return 1;
}

static void* worker(void* unused) {
  int value;
  if (pop(&value)) assert(value == 1 || value == 2);
  return unused;
}

int main(void) {
  push(1);
  push(2);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int left;
  assert(!pop(&left));
  return 0;
}
