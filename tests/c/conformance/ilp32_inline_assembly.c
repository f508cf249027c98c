// expect: all safe
// compiler: -m32
// Pointers are operands of 32 bits.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};
static struct node *head;

static struct node *exchange(struct node **place, struct node *node) {
  __asm__ volatile("xchgl %0, %1" : "+r"(node), "+m"(*place) : : "memory");
  return node;
}

static struct node *replace(struct node **place, struct node *old, struct node *node) {
  struct node *found;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(found), "+m"(*place) : "r"(node), "0"(old) : "memory");
  return found;
}

static int load(int *place) {
  int value;
  __asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(place) : "memory");
  return value;
}

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->value = 1;
  do {
    node->next = head;
  } while (replace(&head, node->next, node) != node->next);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, push, NULL);
  push(NULL);
  pthread_join(thread, NULL);
  assert(head->value == 1 && load(&head->next->value) == 1 && head->next->next == NULL);
  struct node *first = head;
  assert(exchange(&head, NULL) == first && head == NULL);
  return 0;
}
