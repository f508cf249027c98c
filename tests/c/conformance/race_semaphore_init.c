// expect: all unsafe race
// options: --races
// message: data race on done
// A semaphore is initialised while another thread may already post it.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void* poster(void* unused) {
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, poster, NULL);
  sem_init(&done, 0, 1);
  sem_wait(&done);
  pthread_join(thread, NULL);
  return 0;
}
