// What functions of printing give, store, and write to memory.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[64];
  int count = -1;
  assert(printf("%s-%d\n", "abc", -17) == 8);
  assert(printf("%5d|%-5d|%05d\n", 42, 42, 42) == 18);
  assert(putchar('x') == 'x');
  assert(puts("abc") >= 0);
  assert(fputs("abc", stdout) >= 0);
  assert(fwrite("abc", 1, 3, stdout) == 3);
  printf("abc%nd\n", &count);
  assert(count == 3);

  assert(sprintf(text, "%d %u %x %c %%", -5, 7u, 255, 'y') == 11);
  assert(strcmp(text, "-5 7 ff y %") == 0);
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
  assert(snprintf(0, 0, "%ld", -1234567890123L) == 14);
  snprintf(text, sizeof text, "[%6.3d|%-6s|%+d|% d|%#x|%#o|%X]", 5, "ab", 3, 4, 255, 8, 0xabc);
  assert(strcmp(text, "[   005|ab    |+3| 4|0xff|010|ABC]") == 0);
  assert(snprintf(text, sizeof text, "%hhd %hu %lld %zu", 300, 65537, -1LL, sizeof(int)) == 9);
  assert(strcmp(text, "44 1 -1 4") == 0);
  assert(snprintf(text, sizeof text, "%*d|%.*s|%.0d|", -4, 7, 2, "abc", 0) == 9);
  assert(strcmp(text, "7   |ab||") == 0);
  assert(snprintf(text, sizeof text, "%p", (void *)0) == 5 && strcmp(text, "(nil)") == 0);
}
