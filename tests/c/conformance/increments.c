// expect: all safe
// native: 0
// Increments, decrements and compound assignments as expressions.
#include <assert.h>

static int global = 5;
static int at(int* p, int i) { return p[i]; }

int main(void) {
  int a[4] = {0, 0, 0, 0}, i = 0;
  a[i++] = 1;
  a[i++] = 2;
  assert(i == 2 && a[0] == 1 && a[1] == 2);
  assert(at(a, --i) == 2 && i == 1);
  int* p = a;
  *p++ = 7;
  assert(p == a + 1 && a[0] == 7);
  ++*p;
  assert(a[1] == 3);
  (*p)--;
  assert(a[1] == 2 && *p-- == 2 && p == a);
  assert(global++ == 5 && ++global == 7 && global-- == 7 && --global == 5);
  int b = (global += 3) * 2;
  assert(b == 16 && global == 8);
  a[2] += a[3] -= 4;
  assert(a[2] == -4 && a[3] == -4);
  a[3] <<= i = 2;
  assert(a[3] == -16 && i == 2);
  unsigned char c = 0;
  c--;
  assert(c == 255);
  return 0;
}
