// expect: all safe
// native: 0
// Pointers to locals, globals and pointers; pointers that are compared, passed and returned.
#include <assert.h>
#include <stddef.h>

static int global = 1, other = 2;
static int* where = &global;
static int** where_where = &where;

static void swap(int* a, int* b) {
  int old = *a;
  *a = *b;
  *b = old;
}
static int* larger(int* a, int* b) { return *a > *b ? a : b; }
static void redirect(int** p, int* to) { *p = to; }

int main(void) {
  int x = 3, y = 4;
  swap(&x, &y);
  assert(x == 4 && y == 3);
  *larger(&x, &y) = 10;
  assert(x == 10);
  assert(*where == 1 && **where_where == 1);
  redirect(where_where, &other);
  assert(*where == 2 && where == &other && where != &global);
  **where_where = 5;
  assert(other == 5);
  int* p = NULL;
  assert(!p && p == 0);
  p = &x;
  int** q = &p;
  **q = 11;
  *q = &y;
  assert(x == 11 && *p == 3);
  const int* constant = p;
  assert(*constant == 3);
  void* any = p;
  assert(*(int*)any == 3 && any == (void*)&y);
  assert(&*p == p && *&x == 11);
  return 0;
}
