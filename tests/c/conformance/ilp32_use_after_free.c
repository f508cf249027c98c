// expect: all unsafe memory
// message: released
// compiler: -m32
// The pointer comes back from memory as a pointer to the same block.
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = malloc(sizeof *list), *second = malloc(sizeof *second);
  list->next = second;
  second->value = 1;
  free(second);
  return list->next->value;
}
