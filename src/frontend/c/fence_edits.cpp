#include "frontend/c/fence_edits.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "base/characters.hpp"
#include "frontend/c/c.hpp"

namespace weir {

namespace {

struct Token {
  std::size_t begin = 0, end = 0;
  std::string_view text;
  std::size_t opener = 0;  // index of the innermost bracket around it; its own index + 1 is never reached
};

constexpr std::size_t kNoBracket = static_cast<std::size_t>(-1);

// Words, numbers and single characters; comments, strings and preprocessor lines are passed over.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size()) read();
  }

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }

  // The token at the offset, or the first one behind it.
  std::size_t at(std::size_t offset) const {
    const auto found = std::ranges::find_if(tokens_, [&](const Token& token) { return token.end > offset; });
    return static_cast<std::size_t>(found - tokens_.begin());
  }

 private:
  void read() {
    const char c = text_[at_];
    const bool line_start = fresh_line_;
    if (c == '\n') fresh_line_ = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
      return;
    }
    fresh_line_ = false;
    if (c == '#' && line_start) return skip_directive();
    if (text_.substr(at_, 2) == "//") return skip_to(text_.find('\n', at_), 0);
    if (text_.substr(at_, 2) == "/*") return skip_to(text_.find("*/", at_ + 2), 2);
    std::size_t end = at_ + 1;
    if (c == '"' || c == '\'') {
      while (end < text_.size() && text_[end] != c) end += text_[end] == '\\' ? 2 : 1;
      ++end;
    } else if (is_word(c)) {
      while (end < text_.size() && is_word(text_[end])) ++end;
    }
    add(std::min(end, text_.size()));
  }

  void add(std::size_t end) {
    const std::string_view text = text_.substr(at_, end - at_);
    const bool closes = text == ")" || text == "]" || text == "}";
    if (closes && !open_.empty()) open_.pop_back();
    tokens_.push_back({at_, end, text, open_.empty() ? kNoBracket : open_.back()});
    if (text == "(" || text == "[" || text == "{") open_.push_back(tokens_.size() - 1);
    at_ = end;
  }

  void skip_to(std::size_t end, std::size_t beyond) {
    at_ = end == std::string_view::npos ? text_.size() : end + beyond;
  }

  void skip_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool fresh_line_ = true;
  std::vector<std::size_t> open_;
  std::vector<Token> tokens_;
};

// One file, and where fences go in it.
class FenceWriter {
 public:
  FenceWriter(const SourceFile& file) : file_(file), lines_(file.text), tokens_(file.text) {
    const std::string& path = file.path;
    preprocessed_ = path.ends_with(".i") || path.ends_with(".ii");
    cplusplus_ = is_c_path(path) && !path.ends_with(".c") && !path.ends_with(".i");
  }

  bool add(SourcePosition position, CFenceForm form) {
    const std::size_t token = tokens_.at(lines_.offset(position));
    if (token >= tokens_.size()) return false;
    if (form == CFenceForm::kCondition)
      if (const auto place = condition(token)) return insert(*place, fence() + ", ");
    return add_statement(token);
  }

  std::vector<TextEdit> edits() {
    std::vector<TextEdit> result = edits_;
    const std::string header = cplusplus_ ? "<atomic>" : "<stdatomic.h>";
    if (!preprocessed_ && file_.text.find(header) == std::string::npos) {
      const std::size_t first = file_.text.find("#include");
      const std::size_t place = first == std::string::npos ? 0 : first;
      result.insert(result.begin(), {place, place, "#include " + header + "\n"});
    }
    return result;
  }

 private:
  std::string fence() const {
    if (preprocessed_) return "__atomic_thread_fence(__ATOMIC_SEQ_CST)";
    return cplusplus_ ? "std::atomic_thread_fence(std::memory_order_seq_cst)"
                      : "atomic_thread_fence(memory_order_seq_cst)";
  }

  // Several fences at one place are one.
  bool insert(std::size_t place, std::string text) {
    const TextEdit edit{place, place, std::move(text)};
    if (std::ranges::find(edits_, edit) == edits_.end()) edits_.push_back(edit);
    return true;
  }

  // From inside round and square brackets to the statement around them.
  std::size_t out_of_expression(std::size_t token) const {
    while (tokens_[token].opener != kNoBracket && tokens_[tokens_[token].opener].text != "{")
      token = tokens_[token].opener;
    return token;
  }

  // The first token of the statement: behind the end of the one before, a label, or a header without braces.
  std::size_t statement_start(std::size_t token) const {
    const std::size_t bracket = tokens_[token].opener;
    std::size_t start = token;
    for (std::size_t i = token; i-- > 0;) {
      if (i == bracket) break;
      if (tokens_[i].opener != bracket) continue;
      const std::string_view text = tokens_[i].text;
      if (text == ";" || text == "}" || text == "{" || text == "else" || text == "do") break;
      if (text == ":" && is_label(i)) break;
      if (text == ")" && is_header(i)) break;
      start = i;
    }
    return start;
  }

  // "name :", "case x :", "default :", and no "? :".
  bool is_label(std::size_t colon) const {
    const std::size_t bracket = tokens_[colon].opener;
    for (std::size_t i = colon; i-- > 0 && i != bracket;) {
      if (tokens_[i].opener != bracket) continue;
      const std::string_view text = tokens_[i].text;
      if (text == "?") return false;
      if (text == ";" || text == "}" || text == "{" || text == ":") return true;
    }
    return true;
  }

  // Does this bracket close what stands between `if`, `while`, `for` or `switch` and the statement that
  // follows?
  bool is_header(std::size_t closing) const {
    const auto word = header_word(closing);
    return word && closing + 1 < tokens_.size() && tokens_[closing + 1].text != ";";
  }

  std::optional<std::size_t> header_word(std::size_t closing) const {
    const std::size_t bracket = tokens_[closing].opener;
    std::size_t i = closing;
    while (i-- > 0)
      if (tokens_[i].text == "(" && tokens_[i].opener == bracket) break;
    if (i == static_cast<std::size_t>(-1) || i == 0) return std::nullopt;
    const std::string_view word = tokens_[i - 1].text;
    const bool header = word == "if" || word == "while" || word == "for" || word == "switch";
    return header ? std::optional(i - 1) : std::nullopt;
  }

  bool stands_alone(std::size_t start) const {
    if (start == 0) return true;
    const std::string_view before = tokens_[start - 1].text;
    return before == ";" || before == "{" || before == "}" || before == ":";
  }

  bool add_statement(std::size_t token) {
    const std::size_t inside = out_of_expression(token);
    if (tokens_[inside].opener == kNoBracket) return false;  // not in a function
    const std::size_t start = statement_start(inside);
    const std::size_t place = tokens_[start].begin;
    if (stands_alone(start)) {
      const std::string_view indent = lines_.before(place);
      const bool first_in_line = indent.find_first_not_of(" \t") == std::string_view::npos;
      const std::string rest =
          first_in_line ? std::string(lines_.line_end(place)) + std::string(indent) : std::string(" ");
      return insert(place, fence() + ";" + rest);
    }
    const auto end = statement_end(start);
    if (!end) return false;
    insert(place, "{ " + fence() + "; ");
    return insert(*end, " }");
  }

  // Behind the ";" of a simple statement.
  std::optional<std::size_t> statement_end(std::size_t start) const {
    const std::size_t bracket = tokens_[start].opener;
    static const std::set<std::string_view> kCompound = {"{", "if", "while", "for", "switch", "do"};
    if (kCompound.contains(tokens_[start].text)) return std::nullopt;
    for (std::size_t i = start; i < tokens_.size(); ++i)
      if (tokens_[i].opener == bracket && tokens_[i].text == ";") return tokens_[i].end;
    return std::nullopt;
  }

  // Where the condition begins that the token is in.
  std::optional<std::size_t> condition(std::size_t token) const {
    for (std::size_t open = tokens_[token].opener; open != kNoBracket; open = tokens_[open].opener) {
      if (tokens_[open].text != "(" || open == 0) continue;
      const std::string_view word = tokens_[open - 1].text;
      if (word == "while" || word == "if" || word == "switch") return tokens_[open + 1].begin;
      if (word != "for") continue;
      std::size_t semicolons = 0, place = 0;
      for (std::size_t i = open + 1; i < token; ++i)
        if (tokens_[i].opener == open && tokens_[i].text == ";") {
          ++semicolons;
          place = tokens_[i + 1].begin;
        }
      return semicolons == 1 ? std::optional(place) : std::nullopt;
    }
    return std::nullopt;
  }

  const SourceFile& file_;
  LineTable lines_;
  Tokens tokens_;
  bool preprocessed_ = false, cplusplus_ = false;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::optional<SourcePosition> c_fence_place(const Program& program, LocationId location) {
  for (const EdgeId id : program.location(location).edges) {
    const SourcePosition position = program.edge(id).position;
    if (!position.known() || !position.file.valid()) continue;
    const SourceFile& file = program.sources.file(position.file);
    const bool written_by_hand =
        is_c_path(file.path) || file.path.ends_with(".h") || file.path == program.name;
    if (written_by_hand && !file.text.empty()) return position;
  }
  return std::nullopt;
}

std::optional<std::map<FileId, std::vector<TextEdit>>> c_fence_edits(const Program& program,
                                                                     const std::vector<LocationId>& fences,
                                                                     CFenceForm form) {
  std::map<FileId, FenceWriter> writers;
  for (const LocationId fence : fences) {
    const auto place = c_fence_place(program, fence);
    if (!place) return std::nullopt;
    FenceWriter& writer = writers.try_emplace(place->file, program.sources.file(place->file)).first->second;
    if (!writer.add(*place, form)) return std::nullopt;
  }
  std::map<FileId, std::vector<TextEdit>> edits;
  for (auto& [file, writer] : writers) edits.emplace(file, writer.edits());
  return edits;
}

}  // namespace weir
