// expect: all unsafe assertion
// message: specification
// compiler: -std=c++14
// An exception that the specification of its function does not list.
static void only_numbers(bool fails) throw(int) {
  if (fails) throw 'x';
  throw 1;
}

int main() {
  try {
    only_numbers(false);
  } catch (int) {
  }
  try {
    only_numbers(true);
  } catch (...) {
  }
  return 0;
}
