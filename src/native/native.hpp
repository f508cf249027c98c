// The user's own program, compiled and running, led through a witness: a second opinion that shares nothing
// with the front end for C, with its runtime, or with the reference machine. See runtime/native.h.
#pragma once

#include <filesystem>
#include <string>

#include "trace/replay_file.hpp"

namespace weir::native {

enum class Outcome {
  kConfirmed,      // the program fails as the witness says
  kDiverged,       // it does not
  kNotObservable,  // it follows, but what is wrong cannot be seen from outside, such as an uninitialised read
  kUnavailable,    // the program cannot be built or run here
};

const char* name(Outcome outcome);  // as in the JSON answer

struct Result {
  Outcome outcome = Outcome::kUnavailable;
  std::string message;  // what happened, or what is missing
};

// Builds and runs the program in `folder`, which exists and may be deleted afterwards. At most ten seconds
// for the run. With `debugger`, a program that fails is stopped there and given to gdb.
Result confirm(const Program& program, const Witness& witness, const CSources& sources,
               const std::filesystem::path& folder, bool debugger = false);

// The line that people read.
std::string text(const Result& result);

}  // namespace weir::native
