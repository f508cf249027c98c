// expect: all safe
// native: 0
// The string functions of the C library.
#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char text[32];
  assert(strlen("four") == 4 && strlen("") == 0 && strnlen("abcdef", 3) == 3);
  assert(strcpy(text, "weak") == text && strlen(text) == 4);
  strcat(text, " memory");
  assert(strcmp(text, "weak memory") == 0);
  assert(strcmp("abc", "abd") < 0 && strcmp("b", "a") > 0 && strcmp("a", "ab") < 0);
  assert(strncmp("prefix", "preset", 3) == 0 && strncmp("prefix", "preset", 4) < 0);
  assert(strchr(text, 'm') == text + 5 && strchr(text, 'x') == NULL && strchr(text, 0) == text + 11);
  assert(strrchr(text, 'm') == text + 7);
  assert(strstr(text, "mem") == text + 5 && strstr(text, "none") == NULL);
  assert(strncpy(text, "ab", 5) == text && text[2] == 0 && text[4] == 0 && text[5] == 'm');
  text[5] = 0;
  strncat(text, "cdef", 2);
  assert(strcmp(text, "abcd") == 0);
  assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0);
  assert(memchr("hello", 'l', 5) != NULL && memchr("hello", 'l', 2) == NULL);
  assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("ABx", "aby", 2) == 0);
  assert(strspn("112a", "12") == 3 && strcspn("abc1", "123") == 3);
  return 0;
}
