// How many binary strings of length N have no two consecutive ones, top-down, with one entry of the table per
// length and last digit. All threads write the same solutions.
#ifndef N
#define N 3
#endif
#define TABLE_SIZE (2 * N + 2)
#define RESULT (2 * N)
#include "table.h"

// Strings of this length that may follow the digit.
static int strings(int length, int digit) {
  if (length == 0) return 1;
  atomic_int* entry = &table[2 * length + digit];
  int known = load(entry);
  if (known) return known;
  int count = strings(length - 1, 0);
  if (digit == 0) count += strings(length - 1, 1);
  store(entry, count);
  return count;
}

static void work(void) { strings(N, 0); }
