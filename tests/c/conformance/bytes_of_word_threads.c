// Threads write other bytes of a word: none is lost.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
char* p;
static void* w(void* x) {
  p[1] = 1;
  return x;
}
int main(void) {
  pthread_t t;
  p = malloc(8);
  *(uint64_t*)p = 0;
  pthread_create(&t, 0, w, 0);
  p[0] = 1;
  p[2] = 3;
  pthread_join(t, 0);
  assert(*(uint64_t*)p == 0x030101);
  free(p);
  return 0;
}
