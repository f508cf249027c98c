// expect: all safe
// native: 0
// A thread that ends between pthread_cleanup_push and pop calls the handlers, the last one first.
#include <assert.h>
#include <pthread.h>

static int order;

static void note(void *number) { order = order * 10 + *(int *)number; }

static void leave(void) {
  int three = 3;
  pthread_cleanup_push(note, &three);
  pthread_exit(NULL);
  pthread_cleanup_pop(0);
}

static void *work(void *leaves) {
  int one = 1, two = 2;
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &two);
  if (leaves) leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(order == 1);
  pthread_create(&thread, NULL, work, &order);
  pthread_join(thread, NULL);
  assert(order == 1321);
  return 0;
}
