// realloc keeps the bytes, however they were written.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  uint32_t* p = malloc(8);
  p[0] = 1;
  p[1] = 2;
  p = realloc(p, 16);
  uint64_t* q = (uint64_t*)p;
  assert(*q == 0x200000001ull);
  q[1] = 0x400000003ull;
  p = realloc(q, 12);
  assert(p[2] == 3);
  unsigned char* b = (unsigned char*)p;
  assert(b[8] == 3 && b[4] == 2);
  b = realloc(b, 3);
  assert(b[0] == 1 && b[2] == 0);
  free(b);
  return 0;
}
