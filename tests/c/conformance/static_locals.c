// expect: all safe
// native: 0
// Static locals keep their values; each function has its own.
#include <assert.h>

static int counter(void) {
  static int n = 100;
  return n++;
}
static int other_counter(void) {
  static int n;
  return ++n;
}
static const char* name_of(int i) {
  static const char* const names[] = {"zero", "one", "two"};
  return names[i];
}
static int* place(int i) {
  static int places[4];
  return &places[i];
}
static int first_time(void) {
  static _Bool called;
  if (called) return 0;
  called = 1;
  return 1;
}

int main(void) {
  assert(counter() == 100 && counter() == 101);
  assert(other_counter() == 1 && counter() == 102 && other_counter() == 2);
  assert(name_of(1)[0] == 'o' && name_of(2)[1] == 'w');
  *place(2) = 5;
  ++*place(2);
  assert(*place(2) == 6 && *place(1) == 0);
  assert(first_time() && !first_time() && !first_time());
  return 0;
}
