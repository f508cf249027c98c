// expect: all unsafe assertion
// message: uncaught exception of type std::runtime_error
// No handler fits.
#include <stdexcept>

int main() {
  try {
    throw std::runtime_error("nobody wants it");
  } catch (const std::logic_error&) {
  } catch (int) {
  }
  return 0;
}
