// expect: all safe
// options: --leaks
// compiler: -m32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long long value;
};
static _Atomic(struct node *) top;

static void push(long long value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node->next, node)) {
  }
}

static void *worker(void *value) {
  push((long)value);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  push(1ll << 40);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  long long sum = 0;
  struct node *node = atomic_exchange(&top, NULL);
  while (node) {
    struct node *next = node->next;
    sum += node->value;
    free(node);
    node = next;
  }
  assert(sum == (1ll << 40) + 3 && top == NULL);
  return 0;
}
