// A memory operand of a dummy type is as wide as the instruction says. Its lock is released by a plain store, which PSO lets overtake.
// expect: sc safe, tso safe, pso unsafe assertion
#include <assert.h>
#include <pthread.h>
struct __xchg_dummy {
  unsigned long a[100];
};
#define __xg(x) ((volatile struct __xchg_dummy*)(x))
static inline unsigned long xchg8(unsigned long x, volatile void* p) {
  __asm__ __volatile__("xchgq %0,%1" : "=r"(x) : "m"(*__xg(p)), "0"(x) : "memory");
  return x;
}
unsigned long l;
int n;
static void* w(void* x) {
  while (xchg8(1, &l)) __asm__ __volatile__("rep; nop");
  n++;
  *(volatile unsigned long*)&l = 0;
  return x;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, w, 0);
  w(0);
  pthread_join(a, 0);
  assert(n == 2);
  return 0;
}
