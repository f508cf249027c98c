// expect: all safe
// options: --failing-malloc --leaks
// A program that looks at what it gets.
#include <errno.h>
#include <stdlib.h>

int main(void) {
  int* number = malloc(sizeof *number);
  if (number == NULL) return errno == ENOMEM ? 0 : 1;
  int* more = calloc(4, sizeof *more);
  if (more != NULL) more[3] = 1;
  int* moved = more ? realloc(more, 8 * sizeof *more) : NULL;
  free(moved ? moved : more);
  *number = 1;
  free(number);
  return 0;
}
