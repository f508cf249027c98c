// expect: all safe
// native: 0
// options: --leaks
// A list on the heap filled by two threads under a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
static struct node* top;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  pthread_mutex_lock(&mutex);
  node->next = top;
  top = node;
  pthread_mutex_unlock(&mutex);
}
static int pop(void) {
  pthread_mutex_lock(&mutex);
  struct node* node = top;
  top = node->next;
  pthread_mutex_unlock(&mutex);
  int value = node->value;
  free(node);
  return value;
}
static void* worker(void* unused) {
  push(2);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  push(1);
  pthread_join(t, NULL);
  int sum = pop() + pop();
  assert(sum == 3 && top == NULL);
  return 0;
}
