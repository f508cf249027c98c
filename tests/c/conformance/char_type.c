// expect: all safe
// native: 0
// Characters: signed, compared and counted as small integers.
#include <assert.h>

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

int main(void) {
  char c = 'x';
  assert(upper(c) == 'X' && upper('?') == '?');
  assert('z' - 'a' == 25);
  assert(digit('7') == 7 && digit('c') == 12 && digit('g') == -1);
  c = (char)200;
  assert(c == -56 && (unsigned char)c == 200);
  assert('\n' == 10 && '\0' == 0 && '\x41' == 'A' && '\101' == 'A' && '\\' == 92);
  char all[26];
  for (c = 'a'; c <= 'z'; c++) all[c - 'a'] = upper(c);
  assert(all[0] == 'A' && all[25] == 'Z');
  unsigned char u = 'A';
  u |= 0x20;
  assert(u == 'a');
  return 0;
}
