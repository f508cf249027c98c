// expect: all safe
// native: 0
// Every kind of loop, with break and continue, nested.
#include <assert.h>

static int sum_to(int n) {
  int sum = 0;
  for (int i = 1; i <= n; i++) sum += i;
  return sum;
}

static int gcd(int a, int b) {
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int collatz(unsigned n) {
  int steps = 0;
  do {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  } while (n != 1);
  return steps;
}

static int primes_below(int limit) {
  int count = 0;
  for (int n = 2; n < limit; n++) {
    int prime = 1;
    for (int d = 2; d * d <= n; d++) {
      if (n % d) continue;
      prime = 0;
      break;
    }
    if (!prime) continue;
    count++;
  }
  return count;
}

int main(void) {
  assert(sum_to(10) == 55 && sum_to(0) == 0);
  assert(gcd(84, 36) == 12 && gcd(7, 13) == 1 && gcd(5, 0) == 5);
  assert(collatz(6) == 8);
  assert(primes_below(30) == 10);
  int i = 0, j = 10;
  for (;;) {
    if (++i == --j) break;
  }
  assert(i == 5);
  for (i = 0, j = 0; i < 3 && j < 100; i++, j += 40)
    ;
  assert(i == 3 && j == 120);
  return 0;
}
