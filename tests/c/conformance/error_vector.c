// expect: error
// message: vector
// native: 0
// Vector types are not supported, and that is said.
typedef int four __attribute__((vector_size(16)));
static four a = {1, 2, 3, 4};

int main(void) {
  four b = a + a;
  return b[3] - 8;
}
