#include "verify/fences/fence_costs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/file.hpp"
#include "engine/robust/fences/measured_cost.hpp"
#include "program/instances.hpp"
#include "verify/properties.hpp"

namespace weir::verify {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::string_view kBlanks = " \t\r";

struct Word {
  std::string_view text;
  std::uint32_t column = 0;  // from 1
};

std::vector<Word> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Word> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), static_cast<std::uint32_t>(at + 1)});
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<double> parse_cost(std::string_view text) {
  if (text == "never" || text == "inf") return kNever;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

// Names of places in a cost file: "LABEL", "THREAD:LABEL", "FILE:LINE", "FILE:LINE:COLUMN", "FUNCTION".
class Places {
 public:
  explicit Places(const Program& program) : program_(program) {}

  Expected<std::vector<LocationId>, Diagnostic> find(std::string_view text) const {
    if (const auto line = line_of_file(text)) return in_line(*line, text);
    auto labels = find_places(program_, text);
    if (!labels) {
      const std::vector<LocationId> all = in_function(text);
      if (all.empty()) return std::move(labels.error());
      return all;
    }
    std::vector<LocationId> found;
    for (const ThreadLocation& place : labels.value()) found.push_back(place.location);
    return found;
  }

 private:
  struct Line {
    std::string_view file;
    std::uint32_t line = 0;
    std::optional<std::uint32_t> column;
  };

  static std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return value;
  }

  // The last number behind a colon, which is taken off.
  static std::optional<std::uint32_t> take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto found = number(text.substr(colon + 1));
    if (found) text = text.substr(0, colon);
    return found;
  }

  // Nothing if the text does not begin with a file of the program: labels may be numbers, too.
  std::optional<Line> line_of_file(std::string_view text) const {
    const auto last = take_number(text);
    if (!last) return std::nullopt;
    const auto before = take_number(text);
    if (!is_file(text)) return std::nullopt;
    return before ? Line{text, *before, last} : Line{text, *last, std::nullopt};
  }

  bool is_file(std::string_view name) const {
    for (std::size_t f = 0; f < program_.sources.size(); ++f)
      if (names(name, program_.sources.file(FileId(f)).path)) return true;
    return false;
  }

  // Is it the path, or its last parts?
  static bool names(std::string_view name, std::string_view path) {
    if (!path.ends_with(name) || name.empty()) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
  }

  Expected<std::vector<LocationId>, Diagnostic> in_line(const Line& wanted, std::string_view text) const {
    std::vector<LocationId> found;
    for (std::size_t l = 0; l < program_.locations.size(); ++l) {
      const std::vector<EdgeId>& edges = program_.locations[l].edges;
      if (std::ranges::any_of(edges,
                              [&](EdgeId edge) { return is_at(program_.edge(edge).position, wanted); }))
        found.push_back(LocationId(l));
    }
    if (found.empty())
      return Diagnostic{Severity::kError, fmt::format("there is no instruction at {}", text), {}, ""};
    return found;
  }

  bool is_at(SourcePosition position, const Line& wanted) const {
    return position.file && position.line == wanted.line &&
           (!wanted.column || position.column == *wanted.column) &&
           names(wanted.file, program_.sources.file(position.file).path);
  }

  std::vector<LocationId> in_function(std::string_view name) const {
    std::vector<LocationId> found;
    for (std::size_t l = 0; l < program_.locations.size(); ++l)
      if (program_.function(program_.locations[l].function).name == name) found.push_back(LocationId(l));
    return found;
  }

  const Program& program_;
};

// Reads a cost file: a place and its cost on each line, # starts a comment.
class CostFile {
 public:
  CostFile(const Program& program, const std::string& path, std::string text) : program_(program) {
    file_ = error_.sources.add(path, std::move(text));
  }

  Expected<std::vector<double>> apply(std::vector<double> costs) {
    std::string_view rest = error_.sources.file(file_).text;
    for (std::uint32_t line = 1; !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      take(words_of(rest.substr(0, end)), line, costs);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!error_.diagnostics.empty()) return std::move(error_);
    return costs;
  }

 private:
  void take(const std::vector<Word>& words, std::uint32_t line, std::vector<double>& costs) {
    if (words.empty()) return;
    if (words.size() != 2)
      return complain(line, words.back(), "a line has the form PLACE COST",
                      "a place is LABEL, THREAD:LABEL, FILE:LINE, FILE:LINE:COLUMN or a function");
    const auto places = Places(program_).find(words[0].text);
    if (!places) return complain(line, words[0], places.error().message, places.error().hint);
    const auto cost = parse_cost(words[1].text);
    if (!cost)
      return complain(line, words[1], fmt::format("'{}' is not a cost", words[1].text),
                      "a cost is a number above 0, or 'never'");
    for (const LocationId place : places.value()) {
      const Location& location = program_.location(place);
      // Code that stands several times in the text needs a fence in each copy.
      if (!location.edges.empty()) costs[place.index()] = *cost * program_.function(location.function).copies;
    }
  }

  void complain(std::uint32_t line, const Word& word, std::string message, std::string hint = {}) {
    error_.diagnostics.push_back(
        {Severity::kError, std::move(message), {file_, line, word.column}, std::move(hint)});
  }

  const Program& program_;
  FileId file_;
  InputError error_;
};

constexpr std::uint32_t kMeasuredCopies = 2;  // of each template, where any number may run

Expected<FenceCosts> frequencies(const Program& program, Context& context) {
  const MeasureOptions options;
  const Measurement measured = measure_executions(program, options, context);
  if (!measured.ends)
    return FenceCosts{
        estimated_costs(program),
        fmt::format("a fence costs as often as its place is passed, estimated from loops, branches "
                    "and calls, because an execution did not end within {} steps",
                    options.longest_schedule)};
  return FenceCosts{
      measured_costs(program, measured),
      fmt::format(
          "a fence costs as often as its place is passed, on average over {} random schedules (seed {}): "
          "within {:.2g} % with 95 % confidence",
          measured.schedules, options.seed, 100 * measured.relative_error)};
}

Expected<FenceCosts> wanted_costs(const Program& program, const Program& running, const std::string& choice,
                                  Context& context) {
  if (choice == "size") return FenceCosts{unit_costs(program), ""};
  if (choice == "frequency") return frequencies(running, context);
  auto text = read_file(choice);
  if (!text) return std::move(text.error());
  auto costs = CostFile(program, choice, std::move(*text)).apply(unit_costs(program));
  if (!costs) return std::move(costs.error());
  return FenceCosts{std::move(*costs), ""};
}

}  // namespace

Expected<FenceCosts> fence_costs(const Loaded& loaded, const std::string& choice, const FenceOptions& options,
                                 Context& context) {
  const Program& program = loaded.program;
  const Program running =
      options.any_number ? with_instances(program, kMeasuredCopies) : instance(program, options);
  auto costs = wanted_costs(program, running, choice, context);
  if (!costs || loaded.language->fence_sites == nullptr) return costs;
  const std::vector<bool> sites = loaded.language->fence_sites(program, loaded.text);
  for (std::size_t l = 0; l < sites.size(); ++l)
    if (!sites[l]) costs->per_location[l] = kNever;
  return costs;
}

}  // namespace weir::verify
