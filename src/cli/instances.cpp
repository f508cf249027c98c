#include "cli/instances.hpp"

#include <fmt/format.h>

namespace weir::cli {

Expected<Instances, UsageError> instances(const Settings& settings) {
  constexpr std::uint64_t kMost = 1000;
  if (!settings.given(OptionId::kInstances)) return Instances{};
  if (settings.text(OptionId::kInstances) == "any") return Instances{.any = true};
  const auto number = settings.number(OptionId::kInstances);
  if (!number || *number == 0 || *number > kMost)
    return UsageError{fmt::format("-n needs a number from 1 to {}, or any, not '{}'", kMost,
                                  settings.text(OptionId::kInstances)),
                      ""};
  return Instances{.number = static_cast<std::uint32_t>(*number)};
}

}  // namespace weir::cli
