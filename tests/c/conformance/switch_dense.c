// expect: all safe
// native: 0
// switch with dense cases, fall through, default in the middle, and strings of ranges.
#include <assert.h>

static int days(int month, int leap) {
  switch (month) {
    case 2: return leap ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return 31;
  }
}

static int falls(int n) {
  int sum = 0;
  switch (n) {
    case 3: sum += 3;
    case 2: sum += 2;
    default: sum += 100;
    case 1: sum += 1; break;
    case 0: sum = -1;
  }
  return sum;
}

static char grade(int points) {
  switch (points) {
    case 90 ... 100: return 'A';
    case 75 ... 89: return 'B';
    case 50 ... 74: return 'C';
  }
  return 'F';
}

int main(void) {
  int year = 0;
  for (int m = 1; m <= 12; m++) year += days(m, 0);
  assert(year == 365);
  assert(days(2, 1) == 29);
  assert(falls(3) == 106 && falls(2) == 103 && falls(1) == 1 && falls(0) == -1 && falls(9) == 101);
  assert(grade(95) == 'A' && grade(89) == 'B' && grade(50) == 'C' && grade(49) == 'F');
  return 0;
}
