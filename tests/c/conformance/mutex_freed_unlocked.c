// expect: all safe
// Locks in memory that is given back, taken and released in different orders, and one in a variable that ends.
#include <pthread.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t lock;
  struct node* next;
};

static struct node* new_node(struct node* next) {
  struct node* node = malloc(sizeof *node);
  pthread_mutex_init(&node->lock, NULL);
  node->next = next;
  return node;
}

static void once(void) {
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&local);
  pthread_mutex_unlock(&local);
}

// Hand over hand: the second lock is taken before the first is given back.
static void* walk(void* list) {
  struct node* node = list;
  pthread_mutex_lock(&node->lock);
  while (node->next) {
    struct node* next = node->next;
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&node->lock);
    node = next;
  }
  pthread_mutex_unlock(&node->lock);
  once();
  return NULL;
}

int main(void) {
  struct node* list = new_node(new_node(NULL));
  pthread_t thread;
  pthread_create(&thread, NULL, walk, list);
  walk(list);
  pthread_join(thread, NULL);
  struct node* second = list->next;
  pthread_mutex_lock(&second->lock);
  free(list);
  pthread_mutex_unlock(&second->lock);
  free(second);
  return 0;
}
