// expect: all safe
// native: 0
// main with arguments: a program is started with its name only.
#include <assert.h>
#include <stddef.h>

int main(int argc, char** argv) {
  assert(argc == 1);
  assert(argv[0] != NULL && argv[0][0] != 0);
  assert(argv[1] == NULL);
  return 0;
}
