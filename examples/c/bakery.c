// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Lamport's bakery algorithm (1974): who comes takes a number higher than all others; the lowest is served.
//
// Taking a number is a store, looking at the numbers of the others are loads: on x86 two customers can take
// theirs without seeing each other.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { kThreads = 2 };

static volatile bool choosing[kThreads];
static volatile int number[kThreads];

static int highest_number(void) {
  int highest = 0;
  for (int i = 0; i < kThreads; i++) {
    const int n = number[i];
    if (n > highest) highest = n;
  }
  return highest;
}

static bool goes_before(int other, int me) {
  const int n = number[other];
  return n != 0 && (n < number[me] || (n == number[me] && other < me));
}

static void lock(int me) {
  choosing[me] = true;
  number[me] = highest_number() + 1;
  choosing[me] = false;
  for (int other = 0; other < kThreads; other++) {
    while (choosing[other]) {
    }
    while (goes_before(other, me)) {
    }
  }
}

static void unlock(int me) { number[me] = 0; }

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
