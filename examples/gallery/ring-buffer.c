// expect: sc safe, tso safe, pso unsafe assertion
// A missing store fence: the producer fills a slot and then moves the head, with relaxed stores. Under PSO the head
// arrives first, and the consumer takes what is not there yet. memory_order_release on the head is enough.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

struct ring {
  atomic_int slots[SIZE];
  atomic_uint head, tail;
};

static struct ring q;

static void* producer(void* unused) {
  unsigned head = atomic_load_explicit(&q.head, memory_order_relaxed);
  atomic_store_explicit(&q.slots[head % SIZE], 42, memory_order_relaxed);
  atomic_store_explicit(&q.head, head + 1, memory_order_relaxed);
  return unused;
}

static void* consumer(void* unused) {
  unsigned tail = atomic_load_explicit(&q.tail, memory_order_relaxed);
  if (atomic_load_explicit(&q.head, memory_order_acquire) == tail) return unused;
  int item = atomic_load_explicit(&q.slots[tail % SIZE], memory_order_relaxed);
  assert(item == 42);
  atomic_store_explicit(&q.tail, tail + 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, producer, NULL);
  pthread_create(&two, NULL, consumer, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
