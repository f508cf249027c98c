// expect: all safe
// native: 0
// Callbacks with a void pointer to their data, and a comparison function as for qsort.
#include <assert.h>
#include <stddef.h>

struct sum {
  long total;
  int count;
};

static void add_up(int value, void* data) {
  struct sum* sum = data;
  sum->total += value;
  sum->count++;
}

static void count_negative(int value, void* data) {
  if (value < 0) ++*(int*)data;
}

static void for_each(const int* values, size_t count, void (*visit)(int, void*), void* data) {
  for (size_t i = 0; i < count; i++) visit(values[i], data);
}

static int ascending(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int descending(const void* a, const void* b) { return ascending(b, a); }

static void sort(int* a, int count, int (*compare)(const void*, const void*)) {
  for (int i = 1; i < count; i++) {
    int moved = a[i], j = i;
    for (; j > 0 && compare(&a[j - 1], &moved) > 0; j--) a[j] = a[j - 1];
    a[j] = moved;
  }
}

int main(void) {
  int values[5] = {4, -2, 9, -7, 0};
  struct sum sum = {0, 0};
  for_each(values, 5, add_up, &sum);
  assert(sum.total == 4 && sum.count == 5);
  int negative = 0;
  for_each(values, 5, count_negative, &negative);
  assert(negative == 2);
  sort(values, 5, ascending);
  assert(values[0] == -7 && values[4] == 9);
  sort(values, 5, descending);
  assert(values[0] == 9 && values[2] == 0 && values[4] == -7);
  return 0;
}
