// WORKERS threads solve one problem of size N by dynamic programming and share the table; each sets a flag
// when it is through. Another thread looks at the flag and, if it is set, at the result. A program defines
// `work`. Entries that are not known yet are 0; no solution is.
#include "threads.h"

#ifndef WORKERS
#define WORKERS 2
#endif

static void work(void);

static atomic_int table[TABLE_SIZE], done;

static void* worker(void* unused) {
  work();
  store(&done, 1);
  return NULL;
}

static void* reader(void* unused) {
  if (load(&done)) assert(load(&table[RESULT]) != 0);
  return NULL;
}

int main(void) {
  for (int i = 0; i < WORKERS; i++) start(worker, i);
  start(reader, 0);
  return 0;
}
