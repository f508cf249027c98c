// Bit-fields of one unit are one place in memory.
// expect: all unsafe race
// options: --races
#include <pthread.h>
struct {
  unsigned a : 4, b : 4;
} s;
static void* w(void* x) {
  s.a = 1;
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  s.b = 1;
  pthread_join(t, 0);
  return 0;
}
