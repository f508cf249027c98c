// expect: all safe
// native: 0
// options: --races
// A list built by one thread, handed over by a release store, walked by another.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
static struct node* _Atomic head;

static void* builder(void* unused) {
  struct node* list = NULL;
  for (int i = 1; i <= 2; i++) {
    struct node* node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  atomic_store_explicit(&head, list, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, builder, NULL);
  struct node* list;
  while ((list = atomic_load_explicit(&head, memory_order_acquire)) == NULL) {
  }
  assert(list->value == 2 && list->next->value == 1 && list->next->next == NULL);
  free(list->next);
  free(list);
  pthread_join(t, NULL);
  return 0;
}
