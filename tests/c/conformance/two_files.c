// expect: all safe
// native: 0
// with: parts/counter.c
// A program of two files that share variables, functions and types; each has statics of the same name.
#include <assert.h>

#include "parts/counter.h"

static int hidden = 100;
int shared_total;

int main(void) {
  count(3);
  count(4);
  assert(shared_total == 7 && hidden == 100 && hidden_count() == 2);
  struct counter* c = last_counter();
  assert(c->value == 4 && c == last_counter());
  assert(limits[1] == 20);
  return 0;
}
