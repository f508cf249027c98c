// The Indexer [FlanaganGodefroid05]: each thread puts four messages of its own into a hash table of 128 entries, at the place
// that the message says or, where that is taken, at the next free one. Up to 11 threads never meet; every further
// one meets another in three places.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { ENTRIES = 128, MESSAGES = 4 };

static atomic_int table[ENTRIES];

static void insert(int message) {
  int place = message * 7 % ENTRIES;
  int free_mark = 0;
  while (!atomic_compare_exchange_strong_explicit(&table[place], &free_mark, message, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    free_mark = 0;
    place = (place + 1) % ENTRIES;
  }
}

static void* indexer(void* number) {
  for (int i = 1; i <= MESSAGES; i++) insert(11 * i + (int)(intptr_t)number);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, indexer, (void*)(intptr_t)i);
  return 0;
}
