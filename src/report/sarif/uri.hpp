// Paths as URI references, for formats that name files by them.
#pragma once

#include <string>
#include <string_view>

namespace weir {

struct FileUri {
  std::string uri;        // "src/a%20b.c", or "file:///home/me/b.c"
  bool relative = false;  // to the folder in which the program runs
};

// Relative if the file is in that folder or below.
FileUri file_uri(std::string_view path);

}  // namespace weir
