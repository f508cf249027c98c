// expect: all safe
// LockSupport.park and unpark with the fence that the repair added: a permit is seen to be taken before the
// caller looks again. (The paths through the mutex need none: unlocking is a locked instruction.)
#include <pthread.h>
#include <stdbool.h>

struct parker {
  volatile int counter;  // 1 if there is a permit
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

static struct parker parker = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void park(struct parker* p) {
  if (p->counter > 0) {
    p->counter = 0;
    __sync_synchronize();
    return;
  }
  if (pthread_mutex_trylock(&p->mutex) != 0) return;
  if (p->counter > 0) {
    p->counter = 0;
    pthread_mutex_unlock(&p->mutex);
    return;
  }
  pthread_cond_wait(&p->condition, &p->mutex);
  p->counter = 0;
  pthread_mutex_unlock(&p->mutex);
}

static void unpark(struct parker* p) {
  pthread_mutex_lock(&p->mutex);
  const int before = p->counter;
  p->counter = 1;
  pthread_mutex_unlock(&p->mutex);
  if (before < 1) pthread_cond_signal(&p->condition);
}

static volatile bool done;

static void* waiter(void* unused) {
  while (!done) park(&parker);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  unpark(&parker);  // for some other reason
  done = true;
  unpark(&parker);
  pthread_join(t, NULL);
  return 0;
}
