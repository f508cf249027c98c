// expect: all unsafe assertion
// message: `throw;` where no exception is handled
// There is nothing to be thrown again.
static void again() { throw; }

int main() {
  try {
    throw 1;
  } catch (int) {
  }
  try {
    again();
  } catch (...) {
  }
  return 0;
}
