// expect: all safe
// native: 0
// String constants and character arrays, without the library.
#include <assert.h>

static const char greeting[] = "hello";
static char buffer[8] = "abc";
static const char* lines[] = {"one", "two", ""};

static int length(const char* s) {
  const char* end = s;
  while (*end) end++;
  return (int)(end - s);
}
static void reverse(char* s) {
  for (int i = 0, j = length(s) - 1; i < j; i++, j--) {
    char c = s[i];
    s[i] = s[j];
    s[j] = c;
  }
}

int main(void) {
  assert(length(greeting) == 5 && sizeof greeting == 6);
  assert(greeting[0] == 'h' && greeting[5] == '\0');
  assert(buffer[3] == 0 && buffer[7] == 0);
  reverse(buffer);
  assert(buffer[0] == 'c' && buffer[2] == 'a');
  assert(length(lines[0]) == 3 && length(lines[2]) == 0 && lines[1][1] == 'w');
  char local[] =
      "xy"
      "z";
  assert(sizeof local == 4);
  reverse(local);
  assert(local[0] == 'z' && local[1] == 'y');
  char exact[3] = "abc";
  assert(exact[2] == 'c');
  assert("literal"[3] == 'e' && *"x" == 'x');
  assert("tab\there"[3] == 9 && sizeof "a\0b" == 4);
  return 0;
}
