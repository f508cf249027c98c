// expect: all safe
// native: 0
// Pointers kept as integers and made pointers again; low bits used as marks.
#include <assert.h>
#include <stdint.h>

static int cell = 7;
static long pair[2] = {1, 2};

static uintptr_t mark(int* p) { return (uintptr_t)p | 1; }
static int is_marked(uintptr_t p) { return p & 1; }
static int* unmark(uintptr_t p) { return (int*)(p & ~(uintptr_t)1); }

int main(void) {
  uintptr_t word = (uintptr_t)&cell;
  assert(*(int*)word == 7);
  assert((word & 3) == 0);
  uintptr_t marked = mark(&cell);
  assert(is_marked(marked) && !is_marked(word));
  *unmark(marked) = 8;
  assert(cell == 8);
  assert((intptr_t)&pair[1] - (intptr_t)&pair[0] == 8);
  assert(*(long*)((uintptr_t)pair + sizeof(long)) == 2);
  assert((void*)0 == (void*)(uintptr_t)0);
  void* number = (void*)(intptr_t)-5;
  assert((intptr_t)number == -5);
  assert((uintptr_t)(int*)0 == 0);
  return 0;
}
