// expect: all safe
// compiler: -m32
// What threads meet at lies on the heap, between other members.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct meeting {
  char name;
  pthread_barrier_t barrier;
  pthread_cond_t changed;
  pthread_mutex_t mutex;
  sem_t done;
  int arrived;
};

static void *worker(void *argument) {
  struct meeting *meeting = argument;
  pthread_mutex_lock(&meeting->mutex);
  meeting->arrived++;
  pthread_cond_broadcast(&meeting->changed);
  pthread_mutex_unlock(&meeting->mutex);
  pthread_barrier_wait(&meeting->barrier);
  sem_post(&meeting->done);
  return NULL;
}

int main(void) {
  struct meeting *meeting = malloc(sizeof *meeting);
  pthread_t thread;
  meeting->arrived = 0;
  pthread_barrier_init(&meeting->barrier, NULL, 2);
  pthread_cond_init(&meeting->changed, NULL);
  pthread_mutex_init(&meeting->mutex, NULL);
  sem_init(&meeting->done, 0, 0);
  pthread_create(&thread, NULL, worker, meeting);
  pthread_mutex_lock(&meeting->mutex);
  while (meeting->arrived == 0) pthread_cond_wait(&meeting->changed, &meeting->mutex);
  pthread_mutex_unlock(&meeting->mutex);
  pthread_barrier_wait(&meeting->barrier);
  sem_wait(&meeting->done);
  pthread_join(thread, NULL);
  assert(meeting->arrived == 1);
  free(meeting);
  return 0;
}
