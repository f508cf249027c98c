// Headers of newer compilers name the function that releases.
// expect: all safe
#include <assert.h>
#include <stdlib.h>
extern void* mymalloc(unsigned long) __attribute__((__malloc__, __malloc__(free, 1)));
extern void* popen2(const char*) __attribute__((__malloc__(free)));
int main(void) {
  int* p = malloc(4);
  *p = 1;
  assert(*p == 1);
  free(p);
  return 0;
}
