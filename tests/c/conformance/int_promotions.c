// expect: all safe
// native: 0
// The usual arithmetic conversions: what is compared and computed as what.
#include <assert.h>

int main(void) {
  signed char c = -1;
  unsigned char uc = 255;
  unsigned short us = 65535;
  unsigned u = 1;
  long l = -1;
  assert(c == -1 && c != uc);
  assert(c > (int)-2);
  assert(c > u);
  assert(l < u);
  assert(-1 < us);
  assert((unsigned)-1 > us);
  assert(uc + c == 254);
  assert(sizeof(uc + uc) == sizeof(int));
  assert(sizeof(u + l) == sizeof(long));
  assert(sizeof('a') == sizeof(int));
  assert(-1 >> 1 == -1 && -1u >> 1 == 0x7fffffff);
  assert((uc << 1) == 510 && (unsigned char)(uc << 1) == 254);
  assert(~uc == -256);
  assert(!uc == 0 && !!uc == 1);
  assert((c ? u : l) == 1);
  assert((1 ? -1 : 0u) > 0);
  assert(5 / -2 == -2 && 5 % -2 == 1);
  assert(5 / -2u == 0);
  return 0;
}
