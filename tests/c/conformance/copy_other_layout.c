// Structures are copied to memory that is used otherwise.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct a {
  uint32_t x, y;
  uint64_t z;
};
struct b {
  uint64_t xy;
  uint16_t z[4];
};
struct a ga = {1, 2, 0x0004000300020001ull};
struct b gb;
static void* w(void* x) {
  struct b* h = malloc(sizeof *h);
  memcpy(h, &ga, sizeof *h);
  assert(h->xy == 0x200000001ull && h->z[3] == 4);
  memcpy(&gb, h, sizeof gb);
  free(h);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  assert(gb.z[2] == 3);
  struct a back;
  memcpy(&back, &gb, sizeof back);
  assert(back.y == 2 && back.z == ga.z);
  return 0;
}
