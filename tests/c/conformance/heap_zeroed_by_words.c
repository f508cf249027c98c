// A mutex and a condition variable in memory that was zeroed word by word: they can be used, and nobody signals.
// expect: all unsafe deadlock
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t filled;
  int count;
};

int main(void) {
  struct queue *queue = malloc(sizeof *queue);
  for (unsigned long i = 0; i < sizeof *queue / 8; i++) ((long *)queue)[i] = 0;
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == 0) pthread_cond_wait(&queue->filled, &queue->mutex);
  pthread_mutex_unlock(&queue->mutex);
}
