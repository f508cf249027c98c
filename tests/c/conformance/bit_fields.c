// expect: all safe
// native: 0
// Bit fields, signed and unsigned, in locals and globals.
#include <assert.h>

struct flags {
  unsigned ready : 1;
  unsigned mode : 3;
  unsigned count : 12;
  int delta : 4;
};
struct wide {
  unsigned long low : 20;
  unsigned long high : 44;
};
static struct flags global = {1, 5, 100, -3};

int main(void) {
  assert(global.ready == 1 && global.mode == 5 && global.count == 100 && global.delta == -3);
  global.mode++;
  global.mode += 3;
  assert(global.mode == 1 && global.count == 100);
  global.count = 4095;
  global.count++;
  assert(global.count == 0 && global.delta == -3 && global.ready);
  struct flags f = {0};
  f.delta = 7;
  assert(f.delta == 7);
  f.delta++;
  assert(f.delta == -8);
  f.ready = ~f.ready;
  assert(f.ready == 1);
  f.mode = 9;
  assert(f.mode == 1);
  assert(sizeof(struct flags) == 4);
  struct wide w;
  w.low = 0xfffff;
  w.high = 1ul << 43;
  w.low++;
  assert(w.low == 0 && w.high == 1ul << 43);
  struct flags copy = global;
  assert(copy.mode == 1 && copy.delta == -3);
  return 0;
}
