// expect: all safe
// native: 0
// A structure passed by value belongs to the callee: the caller sees no change of it, in recursion either.
#include <assert.h>

struct Row {
  long cells[5];
};

static long change(struct Row row, int at) {
  row.cells[at] += 10;
  if (at > 0) return change(row, at - 1) + row.cells[at];
  return row.cells[0] + row.cells[4];
}

int main(void) {
  struct Row row = {{1, 2, 3, 4, 5}};
  long sum = change(row, 4);
  assert(row.cells[4] == 5 && row.cells[0] == 1);
  assert(sum == 11 + 15 + 15 + 14 + 13 + 12);
  return 0;
}
