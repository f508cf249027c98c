// expect: sc unsafe assertion, tso unsafe assertion, pso unsafe assertion
// ABA: a stack whose pop compares the top only. While one thread is between reading `top->next` and its
// compare-and-swap, the other pops two nodes and pushes the first one back: the top is the same, and what is below
// it is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node* _Atomic next;
  int taken;
};

static struct node nodes[2];
static struct node* _Atomic top;

static void push(struct node* node) {
  struct node* old = top;
  do {
    node->next = old;
  } while (!atomic_compare_exchange_weak(&top, &old, node));
}

static struct node* pop(void) {
  struct node* old = top;
  while (old != NULL) {
    struct node* next = old->next;
    if (atomic_compare_exchange_strong(&top, &old, next)) break;
  }
  return old;
}

static void* recycler(void* unused) {
  struct node* first = pop();
  struct node* second = pop();
  if (second != NULL) second->taken = 1;
  if (first != NULL) push(first);
  return unused;
}

static void* consumer(void* unused) {
  pop();
  struct node* mine = pop();
  assert(mine == NULL || !mine->taken);
  return unused;
}

int main(void) {
  push(&nodes[1]);
  push(&nodes[0]);
  pthread_t one, two;
  pthread_create(&one, NULL, recycler, NULL);
  pthread_create(&two, NULL, consumer, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
