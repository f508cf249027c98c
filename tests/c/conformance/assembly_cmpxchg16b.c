// cmpxchg16b compares and exchanges two words in one step.
// expect: all safe
// compiler: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct pair {
  void* p;
  uintptr_t tag;
} __attribute__((aligned(16)));
struct pair top;
static int dcas(struct pair* at, struct pair old, struct pair new) {
  unsigned char ok;
  __asm__ __volatile__("lock cmpxchg16b %1\n\tsete %0"
                       : "=q"(ok), "+m"(*at), "+a"(old.p), "+d"(old.tag)
                       : "b"(new.p), "c"(new.tag)
                       : "cc", "memory");
  return ok;
}
static int hits;
static void* w(void* x) {
  struct pair old = {0, 0}, new = {&hits, 1};
  if (dcas(&top, old, new)) __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, w, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(hits == 1 && top.tag == 1 && top.p == &hits);
  return 0;
}
