// Apart from the rest, because weir itself needs it before it loads the C front end.
#include "frontend/c/c.hpp"

namespace weir {

bool is_c_path(const std::string& path) {
  for (const std::string_view suffix : kCSuffixes)
    if (path.size() > suffix.size() && path.ends_with(suffix)) return true;
  return false;
}

// The last one counts, as for clang.
bool is_for_narrow_machine(const std::vector<std::string>& compiler_arguments) {
  bool narrow = false;
  for (const std::string& argument : compiler_arguments) {
    if (argument == "-m32" || argument == "-m64") narrow = argument == "-m32";
    if (argument.starts_with("--target=")) narrow = argument.starts_with("--target=i");  // i386 to i686
  }
  return narrow;
}

}  // namespace weir
