// expect: all unsafe assertion
// message: noexcept
// An exception leaves a function that is noexcept, although there is a handler behind it.
static void throws() { throw 1; }
static void promises() noexcept { throws(); }

int main() {
  try {
    promises();
  } catch (...) {
  }
  return 0;
}
