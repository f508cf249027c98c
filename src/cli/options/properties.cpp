#include "cli/options/properties.hpp"

namespace weir::cli {

verify::PropertyRequest property_request(const Settings& settings) {
  verify::PropertyRequest request{.goal = settings.list(OptionId::kGoal),
                                  .exclusive = settings.list(OptionId::kExclusive),
                                  .invariants = settings.list(OptionId::kInvariant)};
  if (settings.flag(OptionId::kDeadlock)) request.deadlock = true;
  if (settings.flag(OptionId::kNoDeadlock)) request.deadlock = false;
  request.races = settings.flag(OptionId::kRaces);
  request.leaks = settings.flag(OptionId::kLeaks);
  return request;
}

// Each is called as its option is.
std::optional<UsageError> add_properties(Program& program, const Settings& settings) {
  if (settings.flag(OptionId::kDeadlock) && settings.flag(OptionId::kNoDeadlock))
    return UsageError{"--deadlock and --no-deadlock contradict each other", ""};
  const auto problem = verify::add_properties(program, property_request(settings));
  if (!problem) return std::nullopt;
  return UsageError{"--" + problem->message, problem->hint};
}

}  // namespace weir::cli
