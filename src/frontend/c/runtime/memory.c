// The heap. Memory never runs out, and an empty block is a block.
#include <malloc.h>
#include <stdlib.h>

#include "internal.h"

void* malloc(size_t size) { return __weir_allocate(size); }

void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return __weir_allocate_zeroed(bytes);
}

void free(void* block) { __weir_free(block); }

void* realloc(void* block, size_t size) {
  if (!block) return __weir_allocate(size);
  if (size == 0) {
    __weir_free(block);
    return NULL;
  }
  void* larger = __weir_allocate(size);
  size_t kept = __weir_block_size(block);
  __weir_copy_block(larger, block, kept < size ? kept : size);
  __weir_free(block);
  return larger;
}

void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return realloc(block, bytes);
}

void* aligned_alloc(size_t alignment, size_t size) { return allocate_aligned(alignment, size); }
void* memalign(size_t alignment, size_t size) { return allocate_aligned(alignment, size); }

int posix_memalign(void** block, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  *block = allocate_aligned(alignment, size);
  return 0;
}
