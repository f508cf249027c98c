// expect: all unsafe memory
// Using the address of a local of a function that has returned.
static int* escape(int depth) {
  int local = depth;
  int* pointer = &local;
  if (depth > 0) return escape(depth - 1);
  return pointer;
}

int main(void) { return *escape(2); }
