// The exit codes, frozen: scripts rely on them.
#pragma once

namespace weir::cli {

enum ExitCode : int {
  kDone = 0,       // safe, robust, or done
  kUsage = 1,      // the command line is wrong
  kBadInput = 2,   // a file is missing, unreadable or wrong
  kUnknown = 5,    // no answer within the limits
  kInternal = 6,   // a bug in Weir
  kViolation = 10  // unsafe, not robust, no fences help, or a replay that reproduces the violation
};

}  // namespace weir::cli
