// expect: sc safe, tso safe
// native: 0
// memcpy, memmove and memset on arrays and structures, of bytes and of wider elements.
#include <assert.h>
#include <string.h>

struct record {
  int id;
  long stamp;
  char name[8];
};

static int source[6] = {1, 2, 3, 4, 5, 6};
static int target[6];
static struct record original = {7, 1l << 35, "seven"};
static struct record copy;
static char bytes[10] = "012345678";

int main(void) {
  memcpy(target, source, sizeof source);
  assert(target[0] == 1 && target[5] == 6);
  memset(target, 0, sizeof target);
  assert(target[0] == 0 && target[5] == 0);
  memcpy(&target[2], &source[1], 2 * sizeof(int));
  assert(target[1] == 0 && target[2] == 2 && target[3] == 3 && target[4] == 0);
  memcpy(&copy, &original, sizeof copy);
  assert(copy.id == 7 && copy.stamp == 1l << 35 && copy.name[4] == 'n');
  memset(&copy, 0, sizeof copy);
  assert(copy.id == 0 && copy.stamp == 0 && copy.name[0] == 0);
  memmove(bytes + 2, bytes, 5);
  assert(bytes[0] == '0' && bytes[2] == '0' && bytes[6] == '4' && bytes[7] == '7');
  memmove(bytes, bytes + 1, 4);
  assert(bytes[0] == '1' && bytes[1] == '0');
  char local[4];
  memset(local, 'x', sizeof local);
  assert(local[0] == 'x' && local[3] == 'x');
  struct record mine = original;
  assert(mine.id == 7 && mine.name[0] == 's');
  int words[4];
  memset(words, 0xff, sizeof words);
  assert(words[0] == -1 && words[3] == -1);
  return 0;
}
