// Accesses to a word and to its half are a race.
// expect: all unsafe race
// options: --races
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
union {
  uint64_t w;
  uint32_t h[2];
} u;
static void* w(void* x) {
  u.w = 1;
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  u.h[1] = 1;
  pthread_join(t, 0);
  return 0;
}
