// expect: all safe
// Lamport's bakery algorithm with two fences: who is choosing must be seen to, and so must the number chosen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kThreads = 2 };

static atomic_bool choosing[kThreads];
static atomic_int number[kThreads];

static int number_of(int thread) { return atomic_load_explicit(&number[thread], memory_order_acquire); }

static int highest_number(void) {
  int highest = 0;
  for (int i = 0; i < kThreads; i++) {
    const int n = number_of(i);
    if (n > highest) highest = n;
  }
  return highest;
}

static bool goes_before(int other, int me) {
  const int n = number_of(other), mine = number_of(me);
  return n != 0 && (n < mine || (n == mine && other < me));
}

static void lock(int me) {
  atomic_store_explicit(&choosing[me], true, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&number[me], highest_number() + 1, memory_order_relaxed);
  atomic_store_explicit(&choosing[me], false, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  for (int other = 0; other < kThreads; other++) {
    while (atomic_load_explicit(&choosing[other], memory_order_acquire)) {
    }
    while (goes_before(other, me)) {
    }
  }
}

static void unlock(int me) { atomic_store_explicit(&number[me], 0, memory_order_release); }

static int inside;

static void* worker(void* argument) {
  const int me = *(int*)argument;
  lock(me);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(me);
  return NULL;
}

int main(void) {
  static int numbers[kThreads] = {0, 1};
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
