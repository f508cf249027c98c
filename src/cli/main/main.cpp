// The weir program.
#include "cli/entry.hpp"

int main(int argc, char** argv) {
  const auto start = weir::Context::Clock::now();
  return weir::cli::run_weir({argv + 1, argv + argc}, start);
}
