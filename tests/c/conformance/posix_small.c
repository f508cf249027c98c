// expect: all safe
// native: 0
// Small functions of POSIX.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <unistd.h>

static int ascending(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

int main(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, ascending);
  assert(numbers[0] == 1 && numbers[2] == 3);
  assert(ffs(0) == 0 && ffs(8) == 4 && ffsl(1L << 40) == 41);
  assert(strcmp(strerror(EBUSY), "Device or resource busy") == 0);
  assert(poll(NULL, 0, 1) == 0);
  assert(gettid() == gettid());
  assert(getpagesize() == 4096);
  return 0;
}
