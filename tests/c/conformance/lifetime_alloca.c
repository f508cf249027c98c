// expect: all unsafe memory
// What alloca gives ends with its function.
#include <alloca.h>
#include <assert.h>

static int* make(void) {
  int* number = alloca(sizeof(int));
  *number = 7;
  int* volatile result = number;
  return result;
}

int main(void) {
  int* p = make();
  assert(*p == 7);
  return 0;
}
