// Members of a packed structure lie across words.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
struct __attribute__((packed)) s {
  char c;
  uint32_t n;
  uint16_t h;
  uint64_t w;
};
struct s g;
static void* w(void* x) {
  g.c = 1;
  g.n = 0x01020304;
  g.h = 5;
  g.w = 6;
  unsigned char* b = (unsigned char*)&g;
  assert(b[1] == 4 && b[4] == 1 && b[5] == 5 && b[7] == 6);
  struct s l = g;
  memset(&g, 0, sizeof g);
  assert(g.w == 0 && l.w == 6);
  g = l;
  assert(memcmp(&g, &l, sizeof g) == 0);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0;
}
