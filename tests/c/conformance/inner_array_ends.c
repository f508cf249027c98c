// One behind the end is an address, as long as nothing is accessed there; arrays at the end of a structure may be
// longer than they look.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdlib.h>

struct list {
  int count;
  int numbers[2];
};

static int matrix[2][4];

int main(void) {
  for (int *number = matrix[0]; number != &matrix[0][4]; number++) *number = 1;
  int *end = &matrix[1][4];
  assert(end - matrix[0] == 8);
  struct list *list = malloc(sizeof(int) * 5);
  list->count = 4;
  for (int i = 0; i < list->count; i++) list->numbers[i] = i;
  assert(list->numbers[3] == 3);
}
