#include "frontend/execution/located_json.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace weir {

namespace {

using Kind = LocatedJson::Kind;

// Reads a text and tells how far it has come.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* begin, const char* at, std::size_t* count)
      : begin_(begin), at_(at), count_(count) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *count_ = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* begin_;
  const char* at_;
  std::size_t* count_;
};

class LineTable {
 public:
  LineTable(FileId file, std::string_view text) : file_(file) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }
  SourcePosition position(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const std::size_t start = *(next - 1);
    return {file_, static_cast<std::uint32_t>(next - starts_.begin()),
            static_cast<std::uint32_t>(offset - start + 1)};
  }

 private:
  FileId file_;
  std::vector<std::size_t> starts_{0};
};

// Builds the tree from the events of the library's parser.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, const LineTable& lines, const std::size_t& count)
      : text_(text), lines_(lines), count_(count) {}

  bool null() override { return scalar({Kind::kNull}); }
  bool boolean(bool value) override {
    LocatedJson node{Kind::kBoolean};
    node.boolean = value;
    return scalar(std::move(node));
  }
  bool number_integer(number_integer_t value) override {
    LocatedJson node{Kind::kInteger};
    node.integer = value;
    return scalar(std::move(node));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return scalar({Kind::kNumber});
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override { return scalar({Kind::kNumber}); }
  bool string(string_t& value) override {
    LocatedJson node{Kind::kString};
    node.string = std::move(value);
    return scalar(std::move(node));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::kObject); }
  bool start_array(std::size_t) override { return open(Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    const SourcePosition position = token();
    auto& keys = open_.back().keys;
    for (const auto& [other, unused] : keys)
      if (other == value) return fail(position, "the key \"" + value + "\" is given twice");
    keys.emplace_back(std::move(value), position);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
    return fail(lines_.position(std::min(byte > 0 ? byte - 1 : 0, text_.size())),
                "this is not JSON: something else was expected here");
  }

  LocatedJson take() { return std::move(root_); }
  const std::optional<Diagnostic>& problem() const { return problem_; }

 private:
  static constexpr std::size_t kDeepest = 64;

  // Where the token that was just read begins: after the one before it and what separates them. A number is
  // known to end one character later, which is a separator.
  SourcePosition token() {
    while (end_ < text_.size() && std::string_view(" \t\r\n,:]}").find(text_[end_]) != std::string_view::npos)
      ++end_;
    const SourcePosition position = lines_.position(end_);
    end_ = std::max(end_, count_);
    return position;
  }

  bool fail(SourcePosition position, std::string message) {
    if (!problem_) problem_ = Diagnostic{Severity::kError, std::move(message), position, ""};
    return false;
  }

  bool scalar(LocatedJson node) {
    node.position = token();
    return put(std::move(node));
  }
  bool open(Kind kind) {
    LocatedJson node{kind};
    node.position = token();
    if (open_.size() >= kDeepest) return fail(node.position, "lists and objects are nested too deeply");
    open_.push_back(std::move(node));
    return true;
  }
  bool close() {
    end_ = std::max(end_, count_);
    LocatedJson node = std::move(open_.back());
    open_.pop_back();
    return put(std::move(node));
  }
  bool put(LocatedJson node) {
    (open_.empty() ? root_ : open_.back().children.emplace_back()) = std::move(node);
    return true;
  }

  std::string_view text_;
  const LineTable& lines_;
  const std::size_t& count_;
  std::size_t end_ = 0;  // of the token before
  std::vector<LocatedJson> open_;
  LocatedJson root_;
  std::optional<Diagnostic> problem_;
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].first == key) return &children[i];
  return nullptr;
}

const char* describe(LocatedJson::Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBoolean: return "true or false";
    case Kind::kInteger: return "an integer";
    case Kind::kNumber: return "a number that is no 64-bit integer";
    case Kind::kString: return "a string";
    case Kind::kArray: return "a list";
    case Kind::kObject: return "an object";
  }
  return "?";
}

Expected<LocatedJson, Diagnostic> parse_located_json(const SourceMap& sources, FileId file) {
  const std::string& text = sources.file(file).text;
  const LineTable lines(file, text);
  std::size_t count = 0;
  Builder builder(text, lines, count);
  const CountingIterator begin(text.data(), text.data(), &count);
  const CountingIterator end(text.data(), text.data() + text.size(), &count);
  if (nlohmann::json::sax_parse(begin, end, &builder)) return builder.take();
  WEIR_CHECK(builder.problem().has_value(), "JSON that cannot be parsed has a mistake");
  return *builder.problem();
}

}  // namespace weir
