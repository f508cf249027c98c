// expect: all safe
// native: 0
// Designated initialisers and compound literals.
#include <assert.h>
#include <stddef.h>

struct options {
  int level;
  const char* name;
  struct {
    int low, high;
  } range;
  int tail[3];
};

static struct options defaults = {.level = 2, .range = {.high = 9}, .tail = {[1] = 7}};
static int sparse[] = {[3] = 30, [1] = 10, 11};
static int* pointed = (int[]){4, 5, 6};

static int width(struct options o) { return o.range.high - o.range.low; }
static int total(const int* a, int n) {
  int sum = 0;
  while (n--) sum += a[n];
  return sum;
}

int main(void) {
  assert(defaults.level == 2 && defaults.name == NULL && defaults.range.low == 0);
  assert(defaults.range.high == 9 && defaults.tail[0] == 0 && defaults.tail[1] == 7);
  assert(sizeof sparse / sizeof sparse[0] == 4);
  assert(sparse[0] == 0 && sparse[1] == 10 && sparse[2] == 11 && sparse[3] == 30);
  assert(pointed[0] + pointed[2] == 10);
  assert(width((struct options){.range.low = 3, .range.high = 5}) == 2);
  assert(total((int[]){1, 2, 3, 4}, 4) == 10);
  struct options local = {.tail[2] = 8, .level = -1};
  assert(local.tail[2] == 8 && local.level == -1 && local.range.high == 0);
  struct options* p = &(struct options){.level = 5};
  p->level++;
  assert(p->level == 6);
  return 0;
}
