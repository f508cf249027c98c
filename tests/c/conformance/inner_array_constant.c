// The same with a constant, in an array of a structure on the heap.
// expect: all unsafe assertion
// message: an index is outside its array, which has 4 elements
#include <stdlib.h>

struct rows {
  int first[4], second[4];
};

int main(void) {
  struct rows *rows = calloc(1, sizeof *rows);
  return rows->first[4];
}
