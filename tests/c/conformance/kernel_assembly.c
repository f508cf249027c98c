// expect: all safe
// native: 0
// The locked instructions of kernels, as inline assembly.
#include <assert.h>

static int counter = 5;
static unsigned long bits = 6;

static inline void increment(int* v) { __asm__ volatile("lock; incl %0" : "+m"(*v) : : "memory"); }
static inline void decrement(int* v) { __asm__ volatile("lock; decl %0" : "+m"(*v) : : "memory"); }
static inline void add(int n, int* v) {
  __asm__ volatile("lock; addl %1,%0" : "+m"(*v) : "ir"(n) : "memory");
}
static inline int exchange(int* v, int n) {
  __asm__ volatile("xchgl %0,%1" : "+r"(n), "+m"(*v) : : "memory");
  return n;
}
static inline int compare_exchange(int* v, int old, int new) {
  int previous;
  __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(previous), "+m"(*v) : "r"(new), "0"(old) : "memory");
  return previous;
}
static inline int fetch_add(int* v, int n) {
  __asm__ volatile("lock; xaddl %0,%1" : "+r"(n), "+m"(*v) : : "memory");
  return n;
}
static inline int decrement_is_zero(int* v) {
  unsigned char zero;
  __asm__ volatile("lock; decl %0; sete %1" : "+m"(*v), "=qm"(zero) : : "memory");
  return zero != 0;
}
static inline void relax(void) { __asm__ volatile("rep; nop" ::: "memory"); }
static inline void pause_it(void) { __asm__ volatile("pause" ::: "memory"); }

int main(void) {
  increment(&counter);
  increment(&counter);
  decrement(&counter);
  assert(counter == 6);
  add(4, &counter);
  assert(counter == 10);
  assert(exchange(&counter, 3) == 10 && counter == 3);
  assert(compare_exchange(&counter, 4, 9) == 3 && counter == 3);
  assert(compare_exchange(&counter, 3, 9) == 3 && counter == 9);
  assert(fetch_add(&counter, -7) == 9 && counter == 2);
  assert(!decrement_is_zero(&counter) && decrement_is_zero(&counter));
  relax();
  pause_it();
  assert(bits == 6);
  return 0;
}
