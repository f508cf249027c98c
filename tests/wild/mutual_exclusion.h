// For locks: two threads add one to a counter, each between lock() and unlock(), which the harness defines before it includes
// this, with start() for what has to be done before any thread runs.
#pragma once

#include <assert.h>
#include <pthread.h>

static int counter;

static void *add_one(void *me) {
  lock((long)me);
  counter++;
  unlock((long)me);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  start();
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, add_one, (void *)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
