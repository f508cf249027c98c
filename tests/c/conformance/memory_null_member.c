// expect: all unsafe memory
// Writing a member through a null pointer, at some distance from address 0.
#include <stddef.h>

struct node {
  int value;
  struct node* next;
};
static struct node last = {1, NULL};

int main(void) {
  last.next->next = &last;
  return 0;
}
