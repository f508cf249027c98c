// expect: all safe
// native: 0
// Semaphores: as a counter, to wait for somebody, and tried.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items, mutex;
static int buffer[2], count;

static void* producer(void* unused) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&mutex);
    buffer[count++] = i;
    sem_post(&mutex);
    sem_post(&items);
  }
  return unused;
}

int main(void) {
  sem_init(&items, 0, 0);
  sem_init(&mutex, 0, 1);
  assert(sem_trywait(&items) == -1 && errno == EAGAIN);
  int value;
  assert(sem_getvalue(&mutex, &value) == 0 && value == 1);
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  sem_wait(&items);
  sem_wait(&items);
  sem_wait(&mutex);
  assert(count == 2 && buffer[0] == 1 && buffer[1] == 2);
  sem_post(&mutex);
  pthread_join(t, NULL);
  assert(sem_trywait(&mutex) == 0);
  assert(sem_destroy(&items) == 0);
  return 0;
}
