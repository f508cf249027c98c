// The best price for a rod of length N that may be cut, top-down: a thread solves what it needs and does not
// find in the table. All threads write the same solutions, so reads that differ in their source seldom differ
// in their value.
#ifndef N
#define N 3
#endif
#define TABLE_SIZE (N + 1)
#define RESULT N
#include "table.h"

static const int price[] = {0, 1, 5, 8, 9, 10, 17, 17, 20};

static int best(int length) {
  if (length == 0) return 0;
  int known = load(&table[length]);
  if (known) return known;
  int most = 0;
  for (int piece = 1; piece <= length; piece++) {
    int sum = price[piece] + best(length - piece);
    if (sum > most) most = sum;
  }
  store(&table[length], most);
  return most;
}

static void work(void) { best(N); }
