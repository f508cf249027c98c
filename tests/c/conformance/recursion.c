// expect: all safe
// native: 0
// Functions that call themselves, and two that call each other.
#include <assert.h>

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
static void hanoi(int n, int from, int to, int via, int* moves) {
  if (n == 0) return;
  hanoi(n - 1, from, via, to, moves);
  ++*moves;
  hanoi(n - 1, via, to, from, moves);
}

int main(void) {
  assert(factorial(10) == 3628800);
  assert(fibonacci(12) == 144);
  assert(is_even(10) && !is_even(7) && is_odd(7));
  assert(ackermann(2, 3) == 9);
  int moves = 0;
  hanoi(6, 0, 2, 1, &moves);
  assert(moves == 63);
  return 0;
}
