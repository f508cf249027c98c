// The one place that knows which form of an answer the user wants: JSON, a line, or text, with the figures of
// the run if asked for.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/options/options.hpp"

namespace weir::cli {

// Each form is a function of a Presentation; only the one that is wanted is called. `figures` is for -v.
template <class Json, class Line, class Text, class Figures>
std::string in_wanted_form(const Settings& settings, Json json, Line line, Text text, Figures figures) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return json(shown);
  if (settings.flag(OptionId::kQuiet)) return line(shown);
  return text(shown) + (settings.flag(OptionId::kVerbose) ? figures() : std::string());
}

template <class Json, class Line, class Text>
std::string in_wanted_form(const Settings& settings, Json json, Line line, Text text) {
  return in_wanted_form(settings, json, line, text, [] { return std::string(); });
}

}  // namespace weir::cli
