// Arithmetic, shifts, comparisons and conversions of numbers of 128 bits.
// native: 0
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
typedef unsigned __int128 u128;
u128 a = ((u128)1 << 100) | 12345, b;
__int128 s = -7;
static u128 mul(u128 x, u128 y) { return x * y; }
static void* w(void* x) {
  b = a + (u128)UINT64_MAX;
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  assert((uint64_t)b == 12344 && (uint64_t)(b >> 64) == ((1ull << 36) + 1));
  assert(mul((u128)0xFFFFFFFFFFFFFFFFull, (u128)0xFFFFFFFFFFFFFFFFull) >> 64 == 0xFFFFFFFFFFFFFFFEull);
  assert(s < 0 && (s >> 1) == -4 && (uint64_t)s == (uint64_t)-7 && s + 8 == 1 && -s == 7);
  int n = 65;
  volatile int k = n;
  assert(((u128)3 << k) >> k == 3 && (uint64_t)(((u128)3 << k) >> 64) == 6);
  assert((a > b) == 0 && a != b && (a & 0xFFFF) == 12345 && (a ^ a) == 0 && ~(u128)0 > a);
  assert((u128)-1 > (u128)1 && (__int128)-1 < (__int128)1);
  struct {
    char c;
    __int128 v;
  } z = {1, s};
  assert(z.v == -7);
  return 0;
}
