// expect: all unsafe assertion
// message: uncaught exception of type std::bad_alloc
// options: --failing-malloc
int main() {
  delete new int(5);
  return 0;
}
