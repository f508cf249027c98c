// expect: all safe
// sem_post is a locked instruction: it drains the buffer.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  sem_post(&semaphore);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  sem_post(&semaphore);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&semaphore, 0, 0);
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
