// What the fuzzer starts from: the C programs of tests/c/conformance and examples/c, as they are and compiled
// as weir compiles them, and a few modules with what clang does not write.
#pragma once

#include <string>
#include <vector>

namespace weir::fuzz {

struct SourceSeed {
  std::string name;
  std::string text;
  bool sequential =
      false;  // one thread, the same result each time, and the processor agrees that it is right
};

struct ModuleSeed {
  std::string name;
  std::string text;  // bitcode or LLVM's text
  bool sequential = false;
};

std::vector<SourceSeed> source_seeds();
// Programs that clang rejects are left out.
std::vector<ModuleSeed> module_seeds(const std::vector<SourceSeed>& sources);

}  // namespace weir::fuzz
