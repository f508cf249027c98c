// expect: sc safe, tso safe
// native: 0
// A bounded buffer with a mutex and two condition variables, two producers and one consumer.
#include <assert.h>
#include <pthread.h>

enum { kCapacity = 1 };
static int buffer[kCapacity], count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (count == kCapacity) pthread_cond_wait(&not_full, &mutex);
  buffer[count++] = item;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}
static int get(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  const int item = buffer[--count];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}
static void* producer(void* item) {
  put(*(int*)item);
  return NULL;
}

int main(void) {
  static int items[2] = {3, 4};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, producer, &items[i]);
  const int sum = get() + get();
  assert(sum == 7 && count == 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
