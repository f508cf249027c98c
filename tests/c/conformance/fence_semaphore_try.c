// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// sem_trywait that finds 0 is a load: it does not drain the buffer.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  assert(sem_trywait(&semaphore) == -1);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  assert(sem_trywait(&semaphore) == -1);
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
