// The indexer of [FlanaganGodefroid05] with a mutex for each entry: each of N threads puts four messages of its
// own into a hash table. Up to 11 threads never meet; every further one meets another in three places.
#include "threads.h"

enum { ENTRIES = 128, MESSAGES = 4 };

static pthread_mutex_t locks[ENTRIES];
static int table[ENTRIES];

static int put(int place, int message) {
  pthread_mutex_lock(&locks[place]);
  int is_free = table[place] == 0;
  if (is_free) table[place] = message;
  pthread_mutex_unlock(&locks[place]);
  return is_free;
}

static void* indexer(void* number) {
  for (int i = 1; i <= MESSAGES; i++) {
    int message = 11 * i + number_of(number), place = message * 7 % ENTRIES;
    while (!put(place, message)) place = (place + 1) % ENTRIES;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < ENTRIES; i++) pthread_mutex_init(&locks[i], NULL);
  create_all(threads, N, indexer);
  join_all(threads, N);
  return 0;
}
