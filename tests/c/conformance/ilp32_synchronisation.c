// expect: all safe
// options: --races --no-spurious-wakeups
// compiler: -m32
// One mutex, condition variable, semaphore, read-write lock, barrier, spin lock and once, and thread-specific values.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t items;
static int ready, written, made, spun, before[2];

static void make(void) { made++; }

static void *worker(void *argument) {
  pthread_setspecific(key, argument);
  pthread_once(&once, make);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&rwlock);
  written++;
  pthread_rwlock_unlock(&rwlock);
  pthread_spin_lock(&spin);
  spun++;
  pthread_spin_unlock(&spin);
  before[1] = 1;
  pthread_barrier_wait(&barrier);
  assert(before[0] == 1);
  sem_post(&items);
  return pthread_getspecific(key);
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  void *result;
  int value;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_key_create(&key, NULL);
  sem_init(&items, 0, 0);
  pthread_create(&thread, &attributes, worker, &value);
  pthread_once(&once, make);
  assert(made == 1);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&rwlock);
  assert(written <= 1);
  pthread_rwlock_unlock(&rwlock);
  pthread_spin_lock(&spin);
  spun++;
  pthread_spin_unlock(&spin);
  before[0] = 1;
  pthread_barrier_wait(&barrier);
  assert(before[1] == 1);
  sem_wait(&items);
  sem_getvalue(&items, &value);
  assert(value == 0);
  pthread_join(thread, &result);
  assert(result == &value && spun == 2);
  pthread_barrier_destroy(&barrier);
  pthread_mutex_destroy(&mutex);
  sem_destroy(&items);
  return 0;
}
