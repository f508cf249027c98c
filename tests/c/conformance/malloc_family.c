// expect: all safe
// native: 0
// aligned_alloc, posix_memalign, strdup, and pointers to pointers on the heap.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  long* aligned = aligned_alloc(64, 128);
  assert((uintptr_t)aligned % 64 == 0);
  aligned[15] = 1;
  assert(aligned[15] == 1);
  void* block = NULL;
  assert(posix_memalign(&block, 32, 8) == 0 && (uintptr_t)block % 32 == 0);
  *(long*)block = -1;
  assert(*(long*)block == -1);
  assert(posix_memalign(&block, 3, 8) != 0);
  char* text = strdup("copied");
  assert(strcmp(text, "copied") == 0);
  text[0] = 'C';
  assert(text[0] == 'C' && text[6] == 0);
  char** rows = malloc(2 * sizeof *rows);
  for (int i = 0; i < 2; i++) {
    rows[i] = malloc(2);
    rows[i][0] = (char)('a' + i);
    rows[i][1] = 0;
  }
  assert(rows[1][0] == 'b' && rows[0][0] == 'a');
  for (int i = 0; i < 2; i++) free(rows[i]);
  free(rows);
  free(text);
  free(block);
  free(aligned);
  return 0;
}
