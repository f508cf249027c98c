// expect: all unsafe memory
// The lock-free queue of Michael and Scott, with a mistake in `dequeue`: the value is read after the head has
// moved, and the old node is released at once.
//
// By then another thread may have dequeued and released the node that holds the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* _Atomic next;
};

static struct node* _Atomic head;
static struct node* _Atomic tail;

static struct node* make(int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  return node;
}

static void enqueue(int value) {
  struct node* node = make(value);
  for (;;) {
    struct node* last = atomic_load(&tail);
    struct node* next = atomic_load(&last->next);
    if (next != NULL) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

static int dequeue(int* value) {
  for (;;) {
    struct node* first = atomic_load(&head);
    struct node* next = atomic_load(&first->next);
    if (next == NULL) return 0;
    if (!atomic_compare_exchange_strong(&head, &first, next)) continue;
    *value = next->value;
    free(first);
    return 1;
  }
}

static void* consumer(void* unused) {
  int value;
  if (dequeue(&value)) assert(value == 1 || value == 2);
  return unused;
}

int main(void) {
  struct node* dummy = make(0);
  head = dummy;
  tail = dummy;
  enqueue(1);
  enqueue(2);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, consumer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
