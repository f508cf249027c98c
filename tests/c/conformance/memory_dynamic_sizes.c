// expect: all safe
// native: 0
// memcpy and memset whose size is only known at run time.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char text[12] = "abcdefgh";
static volatile int length = 3;

int main(void) {
  char local[8];
  memset(local, 0, sizeof local);
  memcpy(local, text + 1, (size_t)length);
  assert(local[0] == 'b' && local[2] == 'd' && local[3] == 0);
  memset(text, 'x', (size_t)length);
  assert(text[0] == 'x' && text[2] == 'x' && text[3] == 'd');
  char* heap = malloc((size_t)length + 1);
  memcpy(heap, text, (size_t)length);
  heap[length] = 0;
  assert(strcmp(heap, "xxx") == 0);
  memmove(heap, heap + 1, (size_t)length);
  assert(strlen(heap) == 2);
  free(heap);
  return 0;
}
