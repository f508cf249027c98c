// expect: all safe
// compiler: -fno-builtin
// native: 0
// Sizes that no object can have are refused, with the reason; so are alignments that posix_memalign does not know.
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

void *volatile got;

int main(void) {
  volatile size_t huge = (size_t)PTRDIFF_MAX + 1, half = SIZE_MAX / 2;
  errno = 0;
  assert((got = malloc(huge)) == NULL && errno == ENOMEM);
  errno = 0;
  assert((got = calloc(half, 3)) == NULL && errno == ENOMEM);
  int *kept = malloc(sizeof *kept);
  *kept = 7;
  errno = 0;
  assert((got = realloc(kept, huge)) == NULL && errno == ENOMEM && *kept == 7);
  errno = 0;
  assert((got = reallocarray(kept, half, 4)) == NULL && errno == ENOMEM && *kept == 7);
  assert((got = aligned_alloc(32, huge)) == NULL);
  assert((got = memalign(32, huge)) == NULL);
  void *block = kept;
  volatile size_t wrong = 24;
  assert(posix_memalign(&block, 32, huge) == ENOMEM && block == kept);
  assert(posix_memalign(&block, wrong, 8) == EINVAL && block == kept);
  assert(posix_memalign(&block, 4, 8) == EINVAL && block == kept);
  free(kept);
  return 0;
}
