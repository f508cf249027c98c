#include "report/sarif/uri.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace weir {

namespace {

// What may stand in a path as it is (RFC 3986, section 3.3). A colon in the first part of a relative
// reference would be read as the end of a scheme, so it is never left.
bool is_plain(char c) {
  const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alphanumeric || std::string_view("-._~!$&'()*+,;=@/").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (is_plain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

FileUri file_uri(std::string_view path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const fs::path whole = (here / fs::path(path)).lexically_normal();
  const fs::path inside = whole.lexically_relative(here);
  const bool relative = !inside.empty() && *inside.begin() != "..";
  return relative ? FileUri{encoded(inside.generic_string()), true}
                  : FileUri{"file://" + encoded(whole.generic_string()), false};
}

}  // namespace weir
