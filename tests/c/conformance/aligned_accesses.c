// Pointers made from bytes that are aligned, and members of packed structures, which need not be.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdlib.h>

struct __attribute__((packed)) packed {
  char first;
  int second;
};

int main(void) {
  char *bytes = malloc(8);
  for (int i = 0; i < 2; i++) *(int *)(bytes + 4 * i) = i;
  assert(*(int *)(bytes + 4) == 1);
  struct packed local = {1, 2};
  assert(local.second == 2);
}
