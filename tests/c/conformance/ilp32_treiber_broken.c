// expect: all unsafe
// compiler: -m32
// Pushes without a compare-exchange lose a node.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
static struct node *top;

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->next = top;
  top = node;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, push, NULL);
  push(NULL);
  pthread_join(other, NULL);
  assert(top->next != NULL);
  return 0;
}
