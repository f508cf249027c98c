// The best price for a rod of length N that may be cut, bottom-up: each thread fills the whole table, from
// short rods to long ones, except for entries that it finds filled. All threads write the same solutions.
#ifndef N
#define N 2
#endif
#define TABLE_SIZE (N + 1)
#define RESULT N
#include "table.h"

static const int price[] = {0, 1, 5, 8, 9, 10, 17, 17, 20};

static int best(int length) {
  int most = price[length];
  for (int piece = 1; piece < length; piece++) {
    int sum = price[piece] + load(&table[length - piece]);
    if (sum > most) most = sum;
  }
  return most;
}

static void work(void) {
  for (int length = 1; length <= N; length++)
    if (!load(&table[length])) store(&table[length], best(length));
}
