// A block of the heap is taken to start on a cache line, which nobody promises.
// expect: all unsafe memory
#include <stdint.h>
#include <stdlib.h>

struct line {
  int first, second;
};

int main(void) {
  struct line *line = malloc(sizeof *line);
  int *second = &line->second;
  *second = 1;
  struct line *start = (struct line *)((uintptr_t)second & ~(uintptr_t)63);
  start->first = 2;
}
