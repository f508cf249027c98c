// expect: all unsafe memory
// A structure that is never written is copied over a constant.
struct pair {
  int first, second;
};

static const struct pair fixed = {1, 2};

int main(void) {
  struct pair nothing;
  *(struct pair *)&fixed = nothing;
}
