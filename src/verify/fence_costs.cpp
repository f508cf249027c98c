#include "verify/fence_costs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/file.hpp"
#include "engine/robust/fences/fence.hpp"
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

// Reads a cost file: "LABEL COST" or "THREAD:LABEL COST" on each line, # starts a comment.
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
      return complain(line, words.back(), "a line has the form LABEL COST or THREAD:LABEL COST");
    const auto places = find_places(program_, words[0].text);
    if (!places) return complain(line, words[0], places.error().message, places.error().hint);
    const auto cost = parse_cost(words[1].text);
    if (!cost)
      return complain(line, words[1], fmt::format("'{}' is not a cost", words[1].text),
                      "a cost is a number above 0, or 'never'");
    for (const ThreadLocation& place : places.value()) {
      const Location& location = program_.location(place.location);
      // Code that stands several times in the text needs a fence in each copy.
      if (!location.edges.empty())
        costs[place.location.index()] = *cost * program_.function(location.function).copies;
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

Expected<std::vector<double>> wanted_costs(const Program& program, const std::string& choice) {
  if (choice == "size") return unit_costs(program);
  if (choice == "frequency") return frequency_costs(program);
  auto text = read_file(choice);
  if (!text) return std::move(text.error());
  return CostFile(program, choice, std::move(*text)).apply(unit_costs(program));
}

}  // namespace

Expected<std::vector<double>> fence_costs(const Loaded& loaded, const std::string& choice) {
  auto costs = wanted_costs(loaded.program, choice);
  if (!costs || loaded.language->fence_sites == nullptr) return costs;
  const std::vector<bool> sites = loaded.language->fence_sites(loaded.program, loaded.text);
  for (std::size_t l = 0; l < sites.size(); ++l)
    if (!sites[l]) costs.value()[l] = kNever;
  return costs;
}

}  // namespace weir::verify
