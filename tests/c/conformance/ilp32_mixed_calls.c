// expect: all safe
// compiler: -m32
// Pointers where numbers are expected and the other way round, a packed structure, labels in a table.
#include <assert.h>
#include <stdlib.h>

static long number(long n) { return n; }
static void *pointer(void *p) { return p; }

int main(void) {
  int *made = malloc(sizeof *made);
  *made = 3;
  int *(*volatile as_pointer)(int *) = (int *(*)(int *))number;
  long (*volatile as_number)(long) = (long (*)(long))pointer;
  assert(*as_pointer(made) == 3 && *(int *)as_number((long)made) == 3);
  int *volatile pointers[3] = {made, NULL, made}, *volatile *last = pointers + 2;
  assert(**last == 3 && last[-1] == NULL);
  struct {
    char letter;
    int *pointer;
  } __attribute__((packed)) packed = {'a', made};
  assert(sizeof packed == 5 && *packed.pointer == 3);
  static void *volatile labels[] = {&&wrong, &&right};
  goto *labels[1];
wrong:
  assert(0);
right:
  free(made);
  return 0;
}
