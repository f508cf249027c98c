// expect: all safe
// native: 0
// Functions through pointers: tables, parameters, members, results.
#include <assert.h>
#include <stddef.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

typedef int (*operation)(int, int);
static const operation operations[] = {add, subtract, multiply};

struct shape {
  int (*area)(const struct shape*);
  int width, height;
};
static int rectangle_area(const struct shape* s) { return s->width * s->height; }
static int triangle_area(const struct shape* s) { return s->width * s->height / 2; }

static operation choose(char symbol) {
  switch (symbol) {
    case '+': return add;
    case '-': return &subtract;
    case '*': return *multiply;
  }
  return NULL;
}

static int fold(operation combine, const int* values, int count, int start) {
  for (int i = 0; i < count; i++) start = combine(start, values[i]);
  return start;
}

int main(void) {
  assert(operations[0](3, 4) == 7 && operations[1](3, 4) == -1 && (*operations[2])(3, 4) == 12);
  assert(choose('*')(6, 7) == 42 && choose('?') == NULL);
  assert(choose('+') == add && choose('-') != add);
  struct shape shapes[2] = {{rectangle_area, 3, 4}, {triangle_area, 3, 4}};
  int total = 0;
  for (int i = 0; i < 2; i++) total += shapes[i].area(&shapes[i]);
  assert(total == 18);
  int values[] = {1, 2, 3, 4};
  assert(fold(add, values, 4, 0) == 10 && fold(multiply, values, 4, 1) == 24);
  int (*local)(int, int) = total > 10 ? subtract : add;
  assert(local(total, 8) == 10);
  return 0;
}
