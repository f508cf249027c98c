// The longest increasing subsequence of N numbers, bottom-up: an entry of the table is the length of the
// longest one that ends at this number. Many entries are equal, and all threads write the same.
#ifndef N
#define N 3
#endif
#define TABLE_SIZE N
#define RESULT (N - 1)
#include "table.h"

static const int numbers[] = {3, 1, 4, 2, 6, 5, 9, 8};

static int longest_to(int end) {
  int longest = 1;
  for (int i = 0; i < end; i++) {
    if (numbers[i] > numbers[end]) continue;
    int length = 1 + load(&table[i]);
    if (length > longest) longest = length;
  }
  return longest;
}

static void work(void) {
  for (int end = 0; end < N; end++)
    if (!load(&table[end])) store(&table[end], longest_to(end));
}
