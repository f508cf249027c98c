// What is between the members of a structure on the heap has no value by itself.
// expect: all unsafe memory
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s {
  char c;
  int n;
};
int main(void) {
  struct s* a = malloc(sizeof *a);
  a->c = 1;
  a->n = 2;
  int r = ((char*)a)[1];
  if (r) r = 2;
  free(a);
  return r == 7;
}
