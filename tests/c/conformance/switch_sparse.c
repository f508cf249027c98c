// expect: all safe
// native: 0
// switch over sparse, negative and wide values.
#include <assert.h>
#include <stdint.h>

static int classify(int n) {
  switch (n) {
    case -1000000: return 1;
    case -1: return 2;
    case 0x7fffffff: return 3;
    case 65536: return 4;
    default: return 0;
  }
}

static int wide(uint64_t n) {
  switch (n) {
    case 0x100000000ull: return 1;
    case UINT64_MAX: return 2;
    case 0: return 3;
  }
  return 4;
}

static int narrow(signed char c) {
  switch (c) {
    case 'a': return 1;
    case -128: return 2;
    default: return 3;
  }
}

int main(void) {
  assert(classify(-1000000) == 1 && classify(-1) == 2 && classify(0x7fffffff) == 3);
  assert(classify(65536) == 4 && classify(0) == 0);
  assert(wide(1ull << 32) == 1 && wide(-1ull) == 2 && wide(0) == 3 && wide(1) == 4);
  assert(narrow('a') == 1 && narrow((signed char)128) == 2 && narrow(0) == 3);
  int steps = 0;
  for (int state = 0; state != 9; steps++) {
    switch (state) {
      case 0: state = 4; continue;
      case 4: state = -3; break;
      case -3: state = 9; break;
    }
  }
  assert(steps == 3);
  return 0;
}
