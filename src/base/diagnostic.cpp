#include "base/diagnostic.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

constexpr std::size_t kWindow = 100;

// The part of a source line to show, and where the caret goes in it. Tabs become blanks and unprintable bytes
// dots, so that the caret stands below the right character.
struct Excerpt {
  std::string text;
  std::size_t caret;
};

Excerpt excerpt(std::string_view line, std::uint32_t column) {
  const std::size_t caret = std::min<std::size_t>(column == 0 ? 0 : column - 1, line.size());
  const std::size_t begin = line.size() <= kWindow || caret < kWindow / 2 ? 0 : caret - kWindow / 2;
  std::string text(line.substr(begin, kWindow));
  for (char& c : text) {
    if (c == '\t') c = ' ';
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) c = '.';
  }
  return {std::move(text), caret - begin};
}

}  // namespace

const char* name(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "error";
}

std::string render(const Diagnostic& diagnostic, const SourceMap& sources) {
  std::string where = sources.describe(diagnostic.position);
  std::string out = where.empty() ? "weir" : where;
  out += fmt::format(": {}: {}\n", name(diagnostic.severity), diagnostic.message);
  if (diagnostic.position.file && diagnostic.position.known()) {
    const std::string_view line = sources.file(diagnostic.position.file).line(diagnostic.position.line);
    if (!line.empty()) {
      const Excerpt shown = excerpt(line, diagnostic.position.column);
      out += fmt::format("{:5} | {}\n      | {}^\n", diagnostic.position.line, shown.text,
                         std::string(shown.caret, ' '));
    }
  }
  if (!diagnostic.hint.empty()) out += fmt::format("      = hint: {}\n", diagnostic.hint);
  return out;
}

}  // namespace weir
