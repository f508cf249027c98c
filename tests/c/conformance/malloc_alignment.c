// malloc() promises 16 bytes, and others what they are asked for.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  for (size_t size = 1; size < 6000; size *= 7) {
    assert((uintptr_t)malloc(size) % 16 == 0);
    assert((uintptr_t)calloc(1, size) % 16 == 0);
    assert((uintptr_t)aligned_alloc(64, size * 64) % 64 == 0);
    void *page;
    assert(posix_memalign(&page, 4096, size) == 0 && (uintptr_t)page % 4096 == 0);
  }
  _Alignas(64) char line[64];
  line[0] = 0;
  char *volatile start = line;
  assert((uintptr_t)start % 64 == 0);
}
