// expect: all safe
// options: --leaks
// Treiber's lock-free stack. Nodes that were popped are kept, and released when all threads are done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

static struct node* _Atomic top;

static void push(struct node* node, int value) {
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &node->next, node)) {
  }
}

static struct node* pop(void) {
  struct node* node = atomic_load(&top);
  while (node != NULL && !atomic_compare_exchange_weak(&top, &node, node->next)) {
  }
  return node;
}

static void* popper(void* result) {
  *(struct node**)result = pop();
  return NULL;
}

static void* pusher(void* node) {
  push(node, 3);
  return NULL;
}

int main(void) {
  struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second),
              *third = malloc(sizeof *third);
  push(first, 1);
  push(second, 2);
  static struct node *a, *b;
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, popper, &a);
  pthread_create(&threads[1], NULL, popper, &b);
  pthread_create(&threads[2], NULL, pusher, third);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  struct node* left = pop();
  assert(a != b && b != left && left != a);
  assert(a->value + b->value + left->value == 6 && pop() == NULL);
  free(first);
  free(second);
  free(third);
  return 0;
}
