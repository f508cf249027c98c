// expect: all safe
// native: 0
// Arrays whose length is known at run time.
#include <assert.h>

static int sum_of_squares(int n) {
  int squares[n];
  for (int i = 0; i < n; i++) squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += squares[i];
  assert(sizeof squares == (unsigned long)n * sizeof(int));
  return sum;
}

static int last(int n, const int values[n]) { return values[n - 1]; }

int main(void) {
  assert(sum_of_squares(5) == 30);
  assert(sum_of_squares(1) == 0);
  int total = 0;
  for (int n = 1; n <= 3; n++) {
    char text[n + 1];
    for (int i = 0; i <= n; i++) text[i] = (char)i;
    total += text[n];
  }
  assert(total == 6);
  int values[] = {3, 1, 4};
  assert(last(3, values) == 4);
  return 0;
}
