// One thread puts N numbers into a ring, another takes N, both under one mutex (SV-COMP's circular buffer).
#include "threads.h"

enum { SIZE = 10 };

static pthread_mutex_t lock;
static int ring[SIZE], begin, end, used;

static void* producer(void* unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    if (used < SIZE) {
      ring[end] = i + 1;
      end = (end + 1) % SIZE;
      used++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* consumer(void* unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    if (used > 0) {
      assert(ring[begin] != 0);
      begin = (begin + 1) % SIZE;
      used--;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_init(&lock, NULL);
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  join_all(threads, 2);
  return 0;
}
