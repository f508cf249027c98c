// expect: all safe
// native: 0
// A start function that main calls by itself too, and one chosen through a table.
#include <assert.h>
#include <pthread.h>

static int sum;
static void* one(void* unused) {
  __sync_fetch_and_add(&sum, 1);
  return unused;
}
static void* ten(void* unused) {
  __sync_fetch_and_add(&sum, 10);
  return unused;
}
static void* (*const jobs[])(void*) = {one, ten};

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, jobs[i], &sum);
  assert(one(&sum) == &sum);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(sum == 12);
  return 0;
}
