// expect: all safe
// native: 0
// Structures: members, assignment, pointers to them, arrays of them.
#include <assert.h>

struct point {
  int x, y;
};
struct mixed {
  char c;
  short s;
  int i;
  long l;
  char end;
};

static struct point origin;
static struct point path[3] = {{1, 2}, {3, 4}, {5, 6}};

static void move(struct point* p, int dx, int dy) {
  p->x += dx;
  p->y += dy;
}

int main(void) {
  assert(origin.x == 0 && origin.y == 0);
  struct point p = {3, 4}, q;
  q = p;
  move(&q, 1, -1);
  assert(q.x == 4 && q.y == 3 && p.x == 3);
  path[1] = q;
  assert(path[1].x == 4 && path[2].y == 6);
  struct point* last = &path[2];
  move(last, -5, -6);
  assert(path[2].x == 0 && (*last).y == 0);
  origin = path[0];
  assert(origin.y == 2);
  struct mixed m = {'a', -2, 3, -4, 'z'};
  assert(sizeof m == 24);
  assert(m.c == 'a' && m.s == -2 && m.i == 3 && m.l == -4 && m.end == 'z');
  struct mixed* w = &m;
  w->s = 0x7fff;
  w->s++;
  assert(m.s == -32768 && m.i == 3 && m.c == 'a');
  return 0;
}
