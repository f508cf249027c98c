#include "cli/options/value_limits.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "program/variables.hpp"

namespace weir::cli {

namespace {

std::optional<Value> parse_value(std::string_view text) {
  Value value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// What the user may have meant; of large arrays, the first elements stand for all.
std::string guess_address(const Program& program, std::string_view name) {
  constexpr std::size_t kElements = 16;
  std::vector<std::string> names;
  for (const SharedObject& object : program.objects)
    for (std::size_t i = 0; i < std::min(object.initial.size(), kElements); ++i)
      names.push_back(program.address_name(object.base + static_cast<Value>(i)));
  return guess_for(name, names);
}

// "ticket=0:15"
Expected<ValueRange, UsageError> parse_range(const Program& program, std::string_view text) {
  const auto wrong = [&](std::string_view why, std::string hint = {}) {
    return UsageError{fmt::format("--range {}: {}", text, why), std::move(hint)};
  };
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = text.find(':', equals == std::string_view::npos ? text.size() : equals);
  if (colon == std::string_view::npos) return wrong("a range has the form VAR=LO:HI", "as in --range x=0:15");
  const std::string_view name = text.substr(0, equals);
  const auto low = parse_value(text.substr(equals + 1, colon - equals - 1));
  const auto high = parse_value(text.substr(colon + 1));
  if (!low || !high) return wrong("the bounds are not whole numbers", "as in --range x=0:15");
  if (*low > *high) return wrong("there is no value in this range");
  const auto address = find_address(program, name);
  if (!address) return wrong(fmt::format("there is no variable '{}'", name), guess_address(program, name));
  return ValueRange{*address, *low, *high};
}

}  // namespace

Expected<ValueLimits, UsageError> value_limits(const Program& program, const Settings& settings,
                                               ValueLimits limits) {
  if (const auto most = settings.number(OptionId::kValues)) limits.most_values = *most;
  for (const std::string& text : settings.list(OptionId::kRange)) {
    auto range = parse_range(program, text);
    if (!range) return range.error();
    limits.ranges.push_back(*range);
  }
  return limits;
}

}  // namespace weir::cli
