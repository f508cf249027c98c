// expect: all safe
// native: 0
// Addresses that are chosen at run time, by ?: and by loops over pointers.
#include <assert.h>
#include <pthread.h>

static int a, b, c;

static void* worker(void* argument) {
  int which = *(int*)argument;
  *(which ? &a : &b) = 5;
  for (int* p = which ? &c : &b; p; p = NULL) *p = 6;
  return NULL;
}

int main(void) {
  int which = 1;
  pthread_t t;
  pthread_create(&t, NULL, worker, &which);
  pthread_join(t, NULL);
  assert(a == 5 && b == 0 && c == 6);
  return 0;
}
