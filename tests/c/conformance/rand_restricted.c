// expect: all unknown
// message: rand()
// rand gives a few values only, and that is said.
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  srand((unsigned)time(NULL));
  int n = rand() % 1000;
  assert(n != 999);
  return 0;
}
