#include "cli/instances.hpp"

#include <fmt/format.h>

#include "cli/loading.hpp"

namespace weir::cli {

Expected<Instances, UsageError> instances(const CommandLine& line) {
  constexpr std::uint64_t kMost = 1000;
  const Settings& settings = line.settings;
  if (!settings.given(OptionId::kInstances)) return Instances{};
  if (is_c_program(line))
    return UsageError{"-n is not for C programs: it copies threads, and a C program creates its own threads",
                      "create as many as you want in main; --threads bounds their number"};
  if (settings.text(OptionId::kInstances) == "any") return Instances{.any = true};
  const auto number = settings.number(OptionId::kInstances);
  if (!number || *number == 0 || *number > kMost)
    return UsageError{fmt::format("-n needs a number from 1 to {}, or any, not '{}'", kMost,
                                  settings.text(OptionId::kInstances)),
                      ""};
  return Instances{.number = static_cast<std::uint32_t>(*number)};
}

}  // namespace weir::cli
