// The bytes between the members of global variables are 0, and can be read and compared.
// expect: all safe
// native: 0
#include <assert.h>
#include <string.h>

static struct mixed {
  char first;
  int second;
  short third;
} one = {1, 2, 3}, same = {1, 2, 3}, other = {1, 2, 4};

int main(void) {
  assert(memcmp(&one, &same, sizeof one) == 0);
  assert(memcmp(&one, &other, sizeof one) < 0 && memcmp(&other, &one, sizeof one) > 0);
  const volatile char *bytes = (const volatile char *)&one;
  assert(bytes[0] == 1 && bytes[1] == 0 && bytes[3] == 0 && bytes[11] == 0);
}
