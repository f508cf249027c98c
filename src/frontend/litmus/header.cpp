// A header is no sequence of words: its lines may say anything. Only comments and quotations are looked for,
// which may contain the brace that ends it.
#include "frontend/litmus/header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "frontend/litmus/lexer.hpp"

namespace weir::litmus {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

constexpr std::array kLanguages = {std::pair{std::string_view("X86"), LitmusLanguage::kX86},
                                   std::pair{std::string_view("X86_64"), LitmusLanguage::kX86_64},
                                   std::pair{std::string_view("C"), LitmusLanguage::kC}};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

class HeaderReader {
 public:
  HeaderReader(FileId file, std::string_view text) : file_(file), text_(text) {}

  Header read() {
    Header header;
    skip_blanks_and_comments();
    const std::size_t begin = at_;
    header.language = language(word(), begin);
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    const std::size_t name = at_;
    header.name = word();
    if (header.name.empty()) fail(position(name), "expected the name of the test behind its language");
    header.end = find_brace();
    header.metadata = metadata(text_.substr(at_, header.end - at_));
    return header;
  }

 private:
  LitmusLanguage language(std::string_view word, std::size_t where) const {
    for (const auto& [name, language] : kLanguages)
      if (name == word) return language;
    fail(position(where),
         fmt::format("expected the language of the test, found '{}'", word.substr(0, kLongestShown)),
         "languages are X86, X86_64 and C");
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && kBlanks.find(text_[at_]) == std::string_view::npos && text_[at_] != '{')
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      if (kBlanks.find(text_[at_]) != std::string_view::npos)
        ++at_;
      else if (text_.substr(at_).starts_with("(*"))
        at_ = behind_comment(at_);
      else
        return;
    }
  }

  std::size_t find_brace() const {
    for (std::size_t i = at_; i < text_.size();) {
      if (text_[i] == '{') return i;
      if (text_.substr(i).starts_with("(*"))
        i = behind_comment(i);
      else if (text_[i] == '"')
        i = behind_quotation(i);
      else
        ++i;
    }
    fail(position(text_.size()), "expected an initial state in braces, found the end of the text");
  }

  std::size_t behind_comment(std::size_t begin) const {
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text_.size();) {
      const bool opens = text_.substr(i).starts_with("(*"), closes = text_.substr(i).starts_with("*)");
      depth += opens ? 1 : 0;
      depth -= closes ? 1 : 0;
      i += opens || closes ? 2 : 1;
      if (depth == 0) return i;
    }
    fail(position(begin), "this comment does not end", "expected '*)'");
  }

  std::size_t behind_quotation(std::size_t begin) const {
    const std::size_t end = text_.find('"', begin + 1);
    if (end == std::string_view::npos) fail(position(begin), "this quotation does not end", "expected '\"'");
    return end + 1;
  }

  static std::vector<std::pair<std::string, std::string>> metadata(std::string_view lines) {
    std::vector<std::pair<std::string, std::string>> result;
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const std::string_view line = trimmed(lines.substr(0, end));
      const std::size_t equals = line.find('=');
      const bool is_pair = equals != std::string_view::npos && equals > 0 &&
                           std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(equals),
                                       [](unsigned char c) { return std::isalnum(c) != 0; });
      if (is_pair) result.emplace_back(line.substr(0, equals), trimmed(line.substr(equals + 1)));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return result;
  }

  SourcePosition position(std::size_t offset) const {
    const std::string_view before = text_.substr(0, offset);
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
    const std::size_t line_end = before.rfind('\n');
    const std::size_t column = line_end == std::string_view::npos ? offset + 1 : offset - line_end;
    return {file_, lines + 1, static_cast<std::uint32_t>(column)};
  }

  static constexpr std::size_t kLongestShown = 40;

  FileId file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Header read_header(FileId file, std::string_view text) { return HeaderReader(file, text).read(); }

}  // namespace weir::litmus
