// A violation after stores of negative numbers, in every width, to memory of the heap.
// expect: all unsafe assertion
// message: assertion "0" fails
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
  signed char *byte = malloc(1);
  short *half = malloc(2);
  int *word = malloc(4);
  long *wide = malloc(8);
  *byte = -1, *half = -2, *word = -3, *wide = -4;
  assert(*byte == -1 && *half == -2 && *word == -3 && *wide == -4);

  _Atomic int *counter = malloc(4);
  atomic_init(counter, 0);
  assert(atomic_fetch_sub(counter, 5) == 0);
  int seen = -5;
  assert(atomic_compare_exchange_strong(counter, &seen, -6));
  assert(atomic_load(counter) == -6);

  unsigned *number = malloc(4);
  *number = 0xFFFFFFFFu;
  assert(*number == 4294967295u);
  assert(0);
}
