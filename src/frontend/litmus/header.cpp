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

// Of herd7, without a model here.
constexpr std::string_view kOtherLanguages[] = {"AArch64", "ARM", "PPC", "RISCV", "MIPS", "LISA",
                                                "Bell",    "BPF", "CPP", "Java",  "ASL",  "PPCGen"};

LitmusLanguage language(std::string_view word, SourcePosition position) {
  for (const auto& [name, language] : kLanguages)
    if (name == word) return language;
  if (std::ranges::find(kOtherLanguages, word) != std::end(kOtherLanguages))
    fail(position, fmt::format("a litmus test for {}, whose memory model Weir does not know", word),
         "X86, X86_64 and C are checked, under SC, TSO and PSO");
  fail(position, fmt::format("expected the language of the test, found '{}'", word.substr(0, text::kShown)),
       "languages are X86, X86_64 and C");
}

std::string_view take_word(TextCursor& in) {
  return in.take(std::min(in.rest().find_first_of(kBlanks), in.rest().find('{')));
}

void skip_quotation(TextCursor& in) {
  const std::size_t end = in.rest().find('"', 1);
  if (end == std::string_view::npos) fail(in.here(), "this quotation does not end", "expected '\"'");
  in.take(end + 1);
}

void skip_to_brace(TextCursor& in) {
  for (in.skip_gap(kMlComments); in.peek() != '{'; in.skip_gap(kMlComments)) {
    if (in.at_end()) fail(in.here(), "expected an initial state in braces, found the end of the text");
    if (in.peek() == '"')
      skip_quotation(in);
    else
      in.take(1);
  }
}

std::vector<std::pair<std::string, std::string>> metadata(std::string_view lines) {
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

}  // namespace

Header read_header(TextCursor& in) {
  Header header;
  in.skip_gap(kMlComments);
  const SourcePosition begin = in.here();
  header.language = language(take_word(in), begin);
  in.skip_all(" \t");
  const SourcePosition name = in.here();
  header.name = take_word(in);
  if (header.name.empty()) fail(name, "expected the name of the test behind its language");
  const std::string_view behind_name = in.rest();
  skip_to_brace(in);
  header.metadata = metadata(behind_name.substr(0, behind_name.size() - in.rest().size()));
  return header;
}

}  // namespace weir::litmus
