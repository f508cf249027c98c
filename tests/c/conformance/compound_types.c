// expect: all safe
// native: 0
// typedefs of everything: arrays, functions, pointers to both, structures by forward declaration.
#include <assert.h>

typedef int vector[3];
typedef vector matrix[2];
typedef int unary(int);
typedef unary* unary_pointer;
typedef struct stack stack;
struct stack {
  int items[4];
  int size;
};
typedef void (*visitor)(stack*);
typedef const char* string;

static unary negate;
static int negate(int x) { return -x; }
static int apply(unary_pointer f, int x) { return f(x); }
static void clear(stack* s) { s->size = 0; }
static void drop(stack* s) { s->size--; }
static int dot(const vector a, const vector b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

int main(void) {
  vector v = {1, 2, 3};
  matrix m = {{1, 0, 0}, {0, 1, 1}};
  assert(dot(v, m[0]) == 1 && dot(v, m[1]) == 5);
  assert(apply(negate, 5) == -5);
  unary_pointer table[2] = {negate, negate};
  assert(table[1](table[0](4)) == 4);
  stack s = {{1, 2, 3}, 3};
  visitor visitors[] = {drop, clear};
  visitors[0](&s);
  assert(s.size == 2);
  visitors[1](&s);
  assert(s.size == 0 && s.items[1] == 2);
  string words[2] = {"a", "b"};
  assert(*words[1] == 'b');
  int (*(*pick)(int))(int) = 0;
  assert(!pick);
  return 0;
}
