// The C library's headers for programs for 32-bit machines (-m32).
//
// Debian keeps one set of headers for x86-64 and i386, but clang looks for those of i386 where only another
// package puts them (libc6-dev-i386), and one of them, which says that no function is missing, is in that
// package alone. So where it is not installed, clang is told where the common ones are, and the missing one
// is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"

namespace weir::c {

class MachineHeaders {
 public:
  // What follows -- on the command line.
  explicit MachineHeaders(const std::vector<std::string>& arguments);

  bool are_narrow() const { return narrow_; }
  // To be added to the compiler's: looked at last.
  std::vector<std::string> arguments() const;

 private:
  bool narrow_ = false;
  std::optional<TemporaryFolder> made_;
};

}  // namespace weir::c
