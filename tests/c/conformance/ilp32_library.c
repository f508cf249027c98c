// expect: all safe
// compiler: -m32
// What depends on the size of long, size_t and pointers in the C library.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  char text[40], *end;
  assert(sprintf(text, "%lu %llu", ULONG_MAX, ULLONG_MAX) == 31);
  assert(strcmp(text, "4294967295 18446744073709551615") == 0);
  sprintf(text, "%ld %zu %td %hd", LONG_MIN, sizeof text, (char *)&end - (char *)&end, (short)-1);
  assert(strcmp(text, "-2147483648 40 0 -1") == 0);
  sprintf(text, "%lx %llx %p", -1l, 1ll << 36, (void *)0x1234);
  assert(strcmp(text, "ffffffff 1000000000 0x1234") == 0);
  assert(snprintf(text, 3, "%s", "long") == 4 && strcmp(text, "lo") == 0);
  assert(strtoul("4294967295", NULL, 10) == ULONG_MAX && errno == 0);
  assert(strtoul("4294967296", &end, 10) == ULONG_MAX && errno == ERANGE && *end == 0);
  errno = 0;
  assert(strtol("-2147483648", NULL, 10) == LONG_MIN && errno == 0);
  assert(strtol("2147483648", NULL, 0) == LONG_MAX && errno == ERANGE);
  assert(strtoull("4294967296", NULL, 10) == 4294967296ull && strtoll("-0x100000000", NULL, 16) == -4294967296ll);
  assert(atol("-2147483647") == -LONG_MAX && atoll("4294967297") == 4294967297ll);
  char *words[3] = {"c", "a", "b"};
  qsort(words, 3, sizeof *words, compare);
  assert(*words[0] == 'a' && *words[2] == 'c');
  char **copy = malloc(sizeof words);
  memcpy(copy, words, sizeof words);
  copy = realloc(copy, 5 * sizeof *copy);
  copy[3] = strdup("dd");
  assert(*copy[1] == 'b' && strlen(copy[3]) == 2 && strchr(copy[3], 0) == copy[3] + 2);
  free(copy[3]);
  free(copy);
  return 0;
}
