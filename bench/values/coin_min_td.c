// The least number of coins of 1, 3 and 4 that give the amount N, top-down. All threads write the same
// solutions.
#ifndef N
#define N 4
#endif
#define TABLE_SIZE (N + 1)
#define RESULT N
#include "table.h"

static const int coins[] = {1, 3, 4};

static int fewest(int amount) {
  if (amount == 0) return 0;
  int known = load(&table[amount]);
  if (known) return known;
  int least = amount;
  for (int kind = 0; kind < 3 && coins[kind] <= amount; kind++) {
    int count = 1 + fewest(amount - coins[kind]);
    if (count < least) least = count;
  }
  store(&table[amount], least);
  return least;
}

static void work(void) { fewest(N); }
