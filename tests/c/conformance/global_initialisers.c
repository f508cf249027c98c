// expect: all safe
// native: 0
// Initial values of globals: addresses, differences, functions, nested structures, zero by default.
#include <assert.h>
#include <stddef.h>

static int numbers[] = {1, 2, 3, 4};
static int* third = &numbers[2];
static int* end = numbers + 4;
static long size = sizeof numbers;
static const char text[] = "abc";
static const char* pointer = "xyz" + 1;
static int twice(int n) { return 2 * n; }
static int (*function)(int) = twice;

struct node {
  int value;
  struct node* next;
};
static struct node second = {2, NULL};
static struct node first = {1, &second};
static struct {
  short a;
  long b[2];
  struct node* list;
} nested = {-1, {1l << 33, -5}, &first};
static double ratio = 0.25;
static int zero, zeros[3];
int tentative;
int tentative = 8;

int main(void) {
  assert(*third == 3 && end - numbers == 4 && size == 16);
  assert(text[3] == 0 && sizeof text == 4 && pointer[0] == 'y');
  assert(function(21) == 42);
  assert(first.next->value == 2 && nested.list->next == &second);
  assert(nested.a == -1 && nested.b[0] == 1l << 33 && nested.b[1] == -5);
  assert(ratio == 0.25 && zero == 0 && zeros[2] == 0 && tentative == 8);
  return 0;
}
