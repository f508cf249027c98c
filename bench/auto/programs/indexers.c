// expect: sc safe
// The Indexer [FlanaganGodefroid05]: each thread puts four messages of its own into a hash table of 128 entries. Up to 11
// threads never meet; every further one meets another in three places.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 13
#endif
enum { kEntries = 128, kMessages = 4 };

static atomic_int table[kEntries];

static void* indexer(void* number) {
  for (int i = 1; i <= kMessages; i++) {
    const int message = 11 * i + (int)(intptr_t)number;
    int place = message * 7 % kEntries;
    int unused = 0;
    while (!atomic_compare_exchange_strong(&table[place], &unused, message)) {
      unused = 0;
      place = (place + 1) % kEntries;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, indexer, (void*)(intptr_t)i);
  return 0;
}
