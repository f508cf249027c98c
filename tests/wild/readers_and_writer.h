// For read-write locks: a thread writes two variables, another one finds both or none of that. The harness defines
// write_lock(), write_unlock(), read_lock() and read_unlock() before it includes this, with start() for what has to be done first.
#pragma once

#include <assert.h>
#include <pthread.h>

static int left, right;

static void *write_both(void *none) {
  write_lock();
  left = 1;
  right = 1;
  write_unlock();
  return none;
}

static void *read_both(void *none) {
  read_lock();
  int first = left, second = right;
  read_unlock();
  assert(first == second);
  return none;
}

int main(void) {
  pthread_t reader, writer;
  start();
  pthread_create(&reader, 0, read_both, 0);
  pthread_create(&writer, 0, write_both, 0);
  pthread_join(reader, 0);
  pthread_join(writer, 0);
  return 0;
}
