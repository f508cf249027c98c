// expect: all unsafe memory
// message: bounds
// compiler: -m32
#include <stdlib.h>

struct buffer {
  int *numbers;
  size_t count;
};

int main(void) {
  struct buffer *buffer = malloc(sizeof *buffer);
  buffer->count = 6;
  buffer->numbers = malloc(buffer->count * sizeof *buffer->numbers);
  for (size_t i = 0; i <= buffer->count; i++) buffer->numbers[i] = 0;
  return 0;
}
