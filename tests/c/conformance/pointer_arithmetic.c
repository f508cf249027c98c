// expect: all safe
// native: 0
// Arithmetic, comparison and difference of pointers into one array.
#include <assert.h>
#include <stddef.h>

static int table[8] = {0, 10, 20, 30, 40, 50, 60, 70};
static short shorts[4];

static int sum(const int* begin, const int* end) {
  int total = 0;
  for (; begin != end; ++begin) total += *begin;
  return total;
}

int main(void) {
  int* p = table + 2;
  assert(*p == 20 && p[1] == 30 && p[-1] == 10 && *(p + 3) == 50);
  int* q = &table[6];
  assert(q - p == 4 && p - q == -4);
  assert(p < q && q > p && p <= p && !(p >= q));
  assert((char*)q - (char*)p == 16);
  p += 2;
  q -= 2;
  assert(p == q && *p == 40);
  assert(sum(table, table + 8) == 280);
  assert(sum(table + 3, table + 3) == 0);
  assert(&table[8] - table == 8);
  assert(2 [table] == 20);
  short* s = shorts;
  *s++ = 1, *s++ = 2, *s++ = 3;
  assert(s - shorts == 3 && shorts[1] == 2 && s[-1] == 3);
  ptrdiff_t middle = (&table[7] - &table[1]) / 2;
  assert(middle == 3);
  int local[3] = {1, 2, 3};
  int *first = local, *last = &local[2];
  while (first < last) {
    int swap = *first;
    *first++ = *last;
    *last-- = swap;
  }
  assert(local[0] == 3 && local[2] == 1 && first == last);
  return 0;
}
