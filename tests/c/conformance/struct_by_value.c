// expect: all safe
// native: 0
// Structures as arguments and results, from one word to more than registers hold.
#include <assert.h>

struct small {
  int a;
};
struct pair {
  int a, b;
};
struct two_longs {
  long a, b;
};
struct large {
  int a[6];
};
struct with_float {
  double d;
  int i;
};

static struct small make_small(int a) { return (struct small){a}; }
static struct pair make_pair(int a, int b) {
  struct pair p = {a, b};
  return p;
}
static struct pair swapped(struct pair p) { return make_pair(p.b, p.a); }
static struct two_longs add(struct two_longs x, struct two_longs y) {
  x.a += y.a;
  x.b += y.b;
  return x;
}
static struct large shifted(struct large l) {
  for (int i = 5; i > 0; i--) l.a[i] = l.a[i - 1];
  l.a[0] = 0;
  return l;
}
static int sum(struct large l) {
  int total = 0;
  for (int i = 0; i < 6; i++) total += l.a[i];
  return total;
}
static struct with_float halve(struct with_float w) {
  w.d /= 2;
  w.i /= 2;
  return w;
}

int main(void) {
  assert(make_small(7).a == 7);
  struct pair p = swapped(make_pair(1, 2));
  assert(p.a == 2 && p.b == 1);
  struct two_longs t = add((struct two_longs){1, 2}, (struct two_longs){10, 20});
  assert(t.a == 11 && t.b == 22);
  struct large l = {{1, 2, 3, 4, 5, 6}};
  struct large m = shifted(l);
  assert(l.a[0] == 1 && m.a[0] == 0 && m.a[5] == 5);
  assert(sum(l) == 21 && sum(m) == 15 && sum(shifted(m)) == 10);
  struct with_float w = halve((struct with_float){5.0, 5});
  assert(w.d == 2.5 && w.i == 2);
  return 0;
}
