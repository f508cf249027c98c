// expect: all unsafe memory
// A structure that is never written is copied over a global: what was there is lost. (The copy once vanished.)
#include <assert.h>

struct pair {
  int first, second;
};

static struct pair shared = {1, 2};

int main(void) {
  struct pair nothing;
  shared = nothing;
  assert(shared.first == 1);
}
