// Copies that touch each other, copies that overlap by memmove(), and a structure assigned to itself.
// expect: all safe
// native: 0
#include <assert.h>
#include <string.h>
static char text[8] = "abcdefg";
static volatile int by = 4;
static struct pair { int a, b; } pair = {1, 2};

int main(void) {
  memcpy(text + by, text, 4);
  assert(memcmp(text, "abcdabcd", 8) == 0);
  memmove(text + 1, text, 4);
  assert(memcmp(text, "aabcdbcd", 8) == 0);
  struct pair *volatile same = &pair;
  pair = *same;
  assert(pair.a == 1 && pair.b == 2);
}
