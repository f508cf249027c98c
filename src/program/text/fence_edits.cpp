// Every location and edge has a line of its own, so reading the lines' first words is enough to find them;
// the rules are those of text_form::Parser, which has accepted the text before.
#include "program/text/fence_edits.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "program/text/lexer.hpp"
#include "program/text/words.hpp"

namespace weir {

namespace {

using text_form::Token;
using Line = std::vector<Token>;

// A location or an edge in the text.
struct Item {
  std::size_t begin = 0;      // of its first word
  std::size_t number_at = 0;  // where its number would be written
  bool numbered = false;
  std::uint32_t id = 0;
};

struct LocationText {
  Item head;
  std::string label;
  std::size_t function = 0;  // counts over the text
  std::optional<Item> first_edge;
  std::optional<Item> next_head;  // of the location after it in the text
};

class TextScan {
 public:
  explicit TextScan(std::string_view text) : text_(text), lexer_(text) {
    while (!at_end_) {
      const Line line = next_line();
      if (!line.empty()) take(line);
    }
  }

  const LocationText& location(LocationId id) const {
    return *std::ranges::find(locations_, id.index(), [](const LocationText& l) { return l.head.id; });
  }
  std::set<std::string> labels(std::size_t function) const {
    std::set<std::string> found;
    for (const LocationText& location : locations_)
      if (location.function == function) found.insert(location.label);
    return found;
  }
  std::size_t location_count() const { return locations_.size(); }
  std::size_t edge_count() const { return edge_count_; }
  bool uses_numbers() const { return uses_numbers_; }

 private:
  Line next_line() {
    Line line;
    for (;;) {
      Token token = lexer_.next();
      at_end_ = token.kind == Token::Kind::kEnd;
      if (at_end_ || token.kind == Token::Kind::kNewline) return line;
      uses_numbers_ |= token.is("#");
      line.push_back(std::move(token));
    }
  }

  void take(const Line& line) {
    const bool label_follows = line.size() > 1 && (line[1].is(":") || line[1].is("#"));
    if (!in_function_) {
      in_function_ = line[0].is("function");
      if (in_function_) ++function_;
      has_locations_ = false;
    } else if (line[0].is("end") && !label_follows) {
      in_function_ = false;
    } else if (is_head(line)) {
      add_location(line);
    } else if (has_locations_) {
      add_edge(line);
    }
  }

  static bool is_head(const Line& line) {
    if (line[0].is("#")) return true;
    if (line.size() < 2) return false;
    const bool label = line[0].kind == Token::Kind::kString || text_form::is_plain_name(line[0].text);
    return line[1].is(":") || (label && line[1].is("#"));
  }

  std::size_t begin(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  }
  std::size_t end(const Token& token) const { return begin(token) + token.text.size(); }

  // `sign` is the place of a number's # in the line; the token before it is what it belongs to.
  Item item(const Line& line, std::size_t sign, std::uint32_t& next) const {
    Item result{
        .begin = begin(line[0]), .number_at = sign == 0 ? begin(line[0]) : end(line[sign - 1]), .id = next};
    result.numbered = sign < line.size() && line[sign].is("#");
    if (result.numbered) result.id = static_cast<std::uint32_t>(std::stoul(std::string(line[sign + 1].text)));
    next = result.id + 1;
    return result;
  }

  void add_location(const Line& line) {
    const bool labelled = !line[0].is("#");
    LocationText location{.head = item(line, labelled ? 1 : 0, next_location_), .function = function_};
    if (labelled) location.label = line[0].name();
    if (!locations_.empty()) locations_.back().next_head = location.head;
    locations_.push_back(std::move(location));
    has_locations_ = true;
  }

  void add_edge(const Line& line) {
    const Item edge = item(line, after_target(line), next_edge_);
    ++edge_count_;
    if (!locations_.back().first_edge) locations_.back().first_edge = edge;
  }

  // Where the number of an edge stands or would stand.
  static std::size_t after_target(const Line& line) {
    const auto arrow =
        std::ranges::find_if(line.rbegin(), line.rend(), [](const Token& t) { return t.is("->"); });
    std::size_t at = static_cast<std::size_t>(line.rend() - arrow);
    if (arrow != line.rend()) return at + (line[at].is("#") ? 2 : 1);
    while (at < line.size() && !line[at].is("#") && !line[at].is("@")) ++at;  // a return without a target
    return at;
  }

  std::string_view text_;
  text_form::Lexer lexer_;
  bool at_end_ = false, in_function_ = false, has_locations_ = false, uses_numbers_ = false;
  std::size_t function_ = 0, edge_count_ = 0;
  std::uint32_t next_location_ = 0, next_edge_ = 0;
  std::vector<LocationText> locations_;
};

class FenceEdits {
 public:
  explicit FenceEdits(std::string_view text) : lines_(text), scan_(text) {}

  std::vector<TextEdit> run(std::span<const LocationId> locations) {
    for (const LocationId id : locations) add(scan_.location(id));
    return std::move(edits_);
  }

 private:
  void add(const LocationText& location) {
    const Item& edge = location.first_edge.value();
    const std::string behind = name_behind(location);
    const std::string_view end = lines_.line_end(edge.begin);
    edits_.push_back(
        {edge.begin, edge.begin,
         fmt::format("fence full -> {}{}{}{}{}:{}", behind, edge_number(), end, blanks(location.head.begin),
                     behind, std::string(end) + blanks(edge.begin))});
    ++added_;
    if (!scan_.uses_numbers()) return;
    number(edge);
    if (location.next_head) number(*location.next_head);
  }

  std::string blanks(std::size_t offset) const { return std::string(lines_.before(offset)); }

  std::string name_behind(const LocationText& location) {
    if (scan_.uses_numbers()) return fmt::format("#{}", scan_.location_count() + added_);
    const std::set<std::string> taken = scan_.labels(location.function);
    const std::string label =
        text_form::is_plain_name(location.label) ? location.label + "_fenced" : "fenced";
    std::string name = label;
    for (std::size_t i = 2; taken.contains(name) || !given_.emplace(location.function, name).second; ++i)
      name = fmt::format("{}{}", label, i);
    return name;
  }

  std::string edge_number() const {
    return scan_.uses_numbers() ? fmt::format(" #{}", scan_.edge_count() + added_) : "";
  }

  void number(const Item& item) {
    if (!item.numbered) edits_.push_back({item.number_at, item.number_at, fmt::format(" #{}", item.id)});
  }

  LineTable lines_;
  TextScan scan_;
  std::vector<TextEdit> edits_;
  std::set<std::pair<std::size_t, std::string>> given_;  // new labels, with their functions
  std::size_t added_ = 0;
};

}  // namespace

std::vector<TextEdit> text_fence_edits(const Program& program, std::string_view text,
                                       std::span<const LocationId> locations) {
  for (const LocationId location : locations)
    WEIR_CHECK(!program.location(location).edges.empty(), "a fence without anything behind it does nothing");
  return FenceEdits(text).run(locations);
}

}  // namespace weir
