// Part of two_files.c.
#include "counter.h"

static int hidden;
static struct counter last;
const int limits[2] = {10, 20};

void count(int n) {
  hidden++;
  shared_total += n;
  last.value = n;
}
int hidden_count(void) { return hidden; }
struct counter* last_counter(void) {
  return &last;
}
