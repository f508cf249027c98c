// Filling a structure on the heap fills what is between its members, too.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s {
  char c;
  int n;
};
int main(void) {
  struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  memset(a, 0, sizeof *a);
  memset(b, 0, sizeof *b);
  a->c = b->c = 1;
  a->n = b->n = 2;
  assert(memcmp(a, b, sizeof *a) == 0);
  assert(((char*)a)[1] == 0);
  free(a);
  free(b);
  return 0;
}
