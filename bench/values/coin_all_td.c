// In how many ways coins of 1, 2 and 5 give the amount N, top-down, with an entry of the table for each
// amount and number of kinds of coins. All threads write the same solutions.
#ifndef N
#define N 3
#endif
#define KINDS 3
#define TABLE_SIZE ((N + 1) * KINDS)
#define RESULT (N * KINDS + KINDS - 1)
#include "table.h"

static const int coins[KINDS] = {1, 2, 5};

static int ways(int amount, int kind) {
  if (amount == 0) return 1;
  if (amount < 0 || kind < 0) return 0;
  atomic_int* entry = &table[amount * KINDS + kind];
  int known = load(entry);
  if (known) return known;
  int sum = ways(amount, kind - 1);
  sum += ways(amount - coins[kind], kind);
  store(entry, sum);
  return sum;
}

static void work(void) { ways(N, KINDS - 1); }
