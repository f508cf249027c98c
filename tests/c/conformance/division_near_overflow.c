// Divisions by -1, and of the least number, that do not overflow.
// expect: all safe
// native: 0
#include <assert.h>
#include <limits.h>
static volatile int least = INT_MIN, minus = -1, two = 2;
static volatile short narrow = SHRT_MIN;

int main(void) {
  assert((least + 1) / minus == INT_MAX && least / two == INT_MIN / 2 && 5 % minus == 0);
  assert(narrow / (short)minus == 32768);
}
