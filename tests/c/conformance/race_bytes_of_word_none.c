// Accesses to other bytes of one word are none.
// expect: all safe
// options: --races
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct {
  char a, b;
  uint16_t c;
} s;
static void* w(void* x) {
  s.a = 1;
  s.c = 4;
  return x;
}
int main(void) {
  pthread_t t;
  memset(&s, 0, sizeof s);
  pthread_create(&t, 0, w, 0);
  s.b = 1;
  pthread_join(t, 0);
  uint32_t all;
  memcpy(&all, &s, 4);
  assert(all == 0x00040101);
  return 0;
}
