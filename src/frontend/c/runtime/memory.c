// The heap. Memory runs out only if that is asked for, and an empty block is a block. A size that no object can have is refused, as
// the GNU C library does; one that is only too large for the model ends the search there.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#include "internal.h"

static int refused(size_t size) {
  if (size <= PTRDIFF_MAX && !__weir_allocation_fails()) return 0;
  errno = ENOMEM;
  return 1;
}

static int overflows(size_t count, size_t size, size_t* bytes) {
  if (!__builtin_mul_overflow(count, size, bytes)) return refused(*bytes);
  errno = ENOMEM;
  return 1;
}

static int is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

void* malloc(size_t size) { return refused(size) ? NULL : __weir_allocate(size); }

void* calloc(size_t count, size_t size) {
  size_t bytes;
  return overflows(count, size, &bytes) ? NULL : __weir_allocate_zeroed(bytes);
}

static void release(void* block) {
  check_block_unlocked(block);
  __weir_free(block);
}

void free(void* block) { release(block); }

void* realloc(void* block, size_t size) {
  if (!block) return malloc(size);
  if (size == 0) {
    release(block);
    return NULL;
  }
  if (refused(size)) return NULL;
  void* larger = __weir_allocate(size);
  size_t kept = __weir_block_size(block);
  __weir_copy_block(larger, block, kept < size ? kept : size);
  release(block);
  return larger;
}

void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes;
  return overflows(count, size, &bytes) ? NULL : realloc(block, bytes);
}

// What another alignment means is not said by the standards, and libraries differ.
void* aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment)) __weir_fail("aligned_alloc with an alignment that is no power of two");
  return refused(size) ? NULL : allocate_aligned(alignment, size);
}

void* memalign(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment)) __weir_fail("memalign with an alignment that is no power of two");
  return refused(size) ? NULL : allocate_aligned(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || !is_power_of_two(alignment)) return EINVAL;
  if (size > PTRDIFF_MAX || __weir_allocation_fails()) return ENOMEM;
  *block = allocate_aligned(alignment, size);
  return 0;
}
