// What Weir works with besides itself, and whether it is there: tried, not assumed. What is missing is told with what
// it is for and how to get it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::verify {

struct Finding {
  std::string name;
  std::string_view purpose;
  bool needed = false;  // by weir itself; others make it faster, or are programs to use its files with
  bool found = false;
  std::string detail;  // the version, or why it is not found
  std::string remedy;  // if it is not found
};

std::vector<Finding> look_around();

}  // namespace weir::verify
