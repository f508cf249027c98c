// Parts of words are copied to anywhere.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
uint64_t g = 0x0807060504030201ull;
static void* w(void* x) {
  char* p = malloc(8);
  memset(p, 0, 8);
  memcpy(p + 3, (char*)&g + 1, 3);
  assert(p[3] == 2 && p[5] == 4 && p[6] == 0);
  uint16_t v;
  memcpy(&v, p + 4, 2);
  assert(v == 0x0403);
  uint64_t u;
  memcpy(&u, p, 8);
  assert(u == 0x040302000000ull);
  free(p);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0;
}
