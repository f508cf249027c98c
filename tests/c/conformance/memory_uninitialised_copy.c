// expect: all safe
// native: 0
// Copying a structure whose members are not all set is no error; nor is its padding.
#include <assert.h>

struct partial {
  char kind;
  long value;
  int extra[2];
};

static struct partial kept;

static struct partial make(char kind) {
  struct partial p;
  p.kind = kind;
  return p;
}

int main(void) {
  kept = make('a');
  assert(kept.kind == 'a');
  struct partial other = kept;
  other.value = 5;
  assert(other.kind == 'a' && other.value == 5);
  return 0;
}
