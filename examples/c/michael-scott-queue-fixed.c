// expect: all safe
// The lock-free queue of Michael and Scott. Nodes are static here, so that nothing is released too early; the
// value is read before the head moves, and the head is read once more to know that what was read belongs
// together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node* _Atomic next;
};

static struct node nodes[3];  // the first is the dummy
static struct node* _Atomic head = &nodes[0];
static struct node* _Atomic tail = &nodes[0];

static void enqueue(struct node* node, int value) {
  node->value = value;
  for (;;) {
    struct node* last = atomic_load(&tail);
    struct node* next = atomic_load(&last->next);
    if (last != atomic_load(&tail)) continue;
    if (next != NULL) {
      atomic_compare_exchange_strong(&tail, &last, next);  // help the other one
    } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

static int dequeue(int* value) {
  for (;;) {
    struct node* first = atomic_load(&head);
    struct node* last = atomic_load(&tail);
    struct node* next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (first == last) {
      if (next == NULL) return 0;
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    *value = next->value;
    if (atomic_compare_exchange_strong(&head, &first, next)) return 1;
  }
}

static void* producer(void* node) {
  enqueue(node, node == &nodes[1] ? 1 : 2);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, producer, &nodes[i + 1]);
  int got = 0, sum = 0, value;
  while (got < 2) {
    if (!dequeue(&value)) continue;
    got++;
    sum += value;
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(sum == 3 && !dequeue(&value));
  return 0;
}
