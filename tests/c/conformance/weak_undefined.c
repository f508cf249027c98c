// What is weak and not defined has the address null.
// expect: all safe
// native: 0
#include <assert.h>
extern int nobody __attribute__((weak));
extern void never(void) __attribute__((weak));
int main(void) {
  if (&nobody) nobody = 1;
  if (never) never();
  int* p = &nobody;
  assert(p == 0);
  assert(!never);
  return 0;
}
