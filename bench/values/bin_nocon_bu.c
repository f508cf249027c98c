// How many binary strings of length N have no two consecutive ones, bottom-up: each thread fills the table,
// with one entry per length and last digit, without looking whether entries are filled. All threads write the
// same solutions.
#ifndef N
#define N 2
#endif
#define TABLE_SIZE (2 * N + 2)
#define RESULT (2 * N)
#include "table.h"

static void work(void) {
  store(&table[0], 1);
  store(&table[1], 1);
  for (int length = 1; length <= N; length++) {
    int after_zero = load(&table[2 * length - 2]);
    int after_one = load(&table[2 * length - 1]);
    store(&table[2 * length], after_zero + after_one);
    store(&table[2 * length + 1], after_zero);
  }
}
