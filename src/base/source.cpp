#include "base/source.hpp"

#include <fmt/format.h>

namespace weir {

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number == 0) return {};
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < number; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::size_t end = text.find('\n', begin);
  if (end == std::string::npos) end = text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  return std::string_view(text).substr(begin, end - begin);
}

FileId SourceMap::add(std::string path, std::string text) {
  files_.push_back({std::move(path), std::move(text)});
  return FileId(files_.size() - 1);
}

std::string SourceMap::describe(SourcePosition position) const {
  if (!position.file) return {};
  const std::string& path = file(position.file).path;
  if (!position.known()) return path;
  return fmt::format("{}:{}:{}", path, position.line, position.column);
}

}  // namespace weir
