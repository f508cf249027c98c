// expect: all unsafe assertion
// message: got == 0
// sem_timedwait may time out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* poster(void* unused) {
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  struct timespec deadline = {100, 0};
  sem_init(&semaphore, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, poster, NULL);
  int got = sem_timedwait(&semaphore, &deadline);
  assert(got == 0 || errno == ETIMEDOUT);
  assert(got == 0);
  pthread_join(t, NULL);
  return 0;
}
