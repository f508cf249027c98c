// expect: all unsafe assertion
// The memory of a mutex is given back while the mutex is locked.
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  pthread_mutex_t lock;
};

int main(void) {
  struct node* node = malloc(sizeof *node);
  pthread_mutex_init(&node->lock, NULL);
  pthread_mutex_lock(&node->lock);
  node->value = 1;
  free(node);
  return 0;
}
