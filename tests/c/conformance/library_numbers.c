// Numbers from text, sorting and searching.
// expect: all safe
// native: 0
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  char *end;
  const char *text = "  -0x1fz";
  assert(strtol(text, &end, 0) == -31 && end == text + 7);
  assert(strtol("077", 0, 0) == 63 && strtol("77", 0, 8) == 63 && strtol("zz", 0, 36) == 1295);
  assert(strtoul("4294967296", 0, 10) == 4294967296ul);
  assert(strtol("none", &end, 10) == 0 && *end == 'n');
  errno = 0;
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  int numbers[] = {5, -1, 3, 3, 0};
  qsort(numbers, 5, sizeof(int), compare);
  for (int i = 1; i < 5; i++) assert(numbers[i - 1] <= numbers[i]);
  int key = 3, missing = 4;
  int *found = bsearch(&key, numbers, 5, sizeof(int), compare);
  assert(found && *found == 3 && !bsearch(&missing, numbers, 5, sizeof(int), compare));
  assert(*strpbrk("hello", "ol") == 'l' && !strpbrk("hello", "xyz"));
}
