// expect: all unsafe memory
// message: 'x'
// In each round of a loop its variable is another one.
#include <assert.h>

int main(void) {
  int* first = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    if (i == 0) first = &x;
    if (i == 2) assert(*first >= 0);
  }
  return 0;
}
