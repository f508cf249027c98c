// expect: all safe
// native: 0
// Mutex, condition variable, semaphore and barrier as locals of main, given to a thread in a structure.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct tools {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  pthread_barrier_t barrier;
  int stage;
};

static void* worker(void* argument) {
  struct tools* t = argument;
  sem_wait(&t->semaphore);
  pthread_mutex_lock(&t->mutex);
  t->stage = 1;
  pthread_cond_signal(&t->condition);
  pthread_mutex_unlock(&t->mutex);
  pthread_barrier_wait(&t->barrier);
  return NULL;
}

int main(void) {
  struct tools t;
  t.stage = 0;
  pthread_mutex_init(&t.mutex, NULL);
  pthread_cond_init(&t.condition, NULL);
  sem_init(&t.semaphore, 0, 0);
  pthread_barrier_init(&t.barrier, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &t);
  sem_post(&t.semaphore);
  pthread_mutex_lock(&t.mutex);
  while (t.stage == 0) pthread_cond_wait(&t.condition, &t.mutex);
  pthread_mutex_unlock(&t.mutex);
  pthread_barrier_wait(&t.barrier);
  pthread_barrier_destroy(&t.barrier);
  pthread_join(thread, NULL);
  assert(t.stage == 1);
  return 0;
}
