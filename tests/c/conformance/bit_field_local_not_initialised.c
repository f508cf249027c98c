// expect: all unsafe assertion
// As bit_field_not_initialised.c, with a signed field of a variable on the stack.
#include <assert.h>

struct numbers {
  int small : 5;
  int large : 20;
};

int main(void) {
  struct numbers numbers;
  numbers.small = -3;
  assert(numbers.large >= 0);
  return 0;
}
