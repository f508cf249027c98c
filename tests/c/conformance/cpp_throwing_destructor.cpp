// expect: all unsafe assertion
// message: std::terminate
// A destructor throws while another exception runs it.
struct Bad {
  ~Bad() noexcept(false) { throw 2; }
};

int main() {
  try {
    Bad bad;
    throw 1;
  } catch (...) {
  }
  return 0;
}
