// expect: all unknown
// message: vector
// native: 0
// Vector types are not supported: an execution that gets there is followed no further.
typedef int four __attribute__((vector_size(16)));
static four a = {1, 2, 3, 4};

int main(void) {
  four b = a + a;
  return b[3] - 8;
}
