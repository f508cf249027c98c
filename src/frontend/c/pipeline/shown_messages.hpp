// What is shown of what the compiler says. What a program includes may be no source at all, but something
// that the reader of the answer need not see: so of the mistakes in other files than the program's own only
// the first is shown, with its line.
#pragma once

#include <string>

namespace weir::c {

// About the compilation of the file.
std::string shown_messages(const std::string& said, const std::string& path);

}  // namespace weir::c
