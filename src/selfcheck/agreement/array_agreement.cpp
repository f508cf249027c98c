#include "selfcheck/agreement/array_agreement.hpp"

#include <fmt/format.h>

#include "check/array/explore.hpp"
#include "check/array/replay.hpp"
#include "engine/array/array_check.hpp"
#include "program/array/text.hpp"

namespace weir::selfcheck {

namespace {

using namespace array;
using AgreementKind = ArrayAgreement::Kind;

constexpr std::uint32_t kMostInstances = 4;  // processes

ArrayLimits limits_for(const ArraySystem& system) {
  ArrayLimits limits;
  limits.states = 20'000;
  limits.buffered_groups = 3;
  limits.domains.numbers = numbers_of(system);
  return limits;
}

std::string steps_text(const ArraySystem& system, const std::vector<ArrayStep>& steps) {
  std::string text;
  for (const ArrayStep& step : steps) {
    text += step.is_flush() ? " flush(" : fmt::format(" {}(", system.transitions[*step.transition].name);
    for (const std::uint32_t process : step.processes) text += fmt::format(" #{}", process + 1);
    text += " )";
  }
  return text;
}

std::uint32_t most_instances(const ArraySystem& system) {
  return std::min(kMostInstances, system.number_of_processes.value_or(kMostInstances));
}

ArrayAgreement compare_safe(const ArraySystem& system) {
  ArrayAgreement result{AgreementKind::kSafe};
  for (std::uint32_t processes = least_processes(system); processes <= most_instances(system); ++processes) {
    const ArrayExploration instance = explore(system, processes, limits_for(system));
    result.bounded = result.bounded || instance.verdict == ArrayVerdict::kBounded;
    if (!instance.unsafe()) continue;
    result.kind = AgreementKind::kDisagree;
    result.message = fmt::format("said to be safe, but with {} processes there is{}", processes,
                                 steps_text(system, instance.run->steps));
    return result;
  }
  return result;
}

bool has_open_numbers(const ArraySystem& system) {
  for (const Transition& transition : system.transitions)
    for (const Update& update : transition.updates)
      for (const UpdateCase& one : update.cases)
        if (!one.value && system.sort(system.symbol(update.symbol).sort).numeric()) return true;
  return false;
}

ArrayAgreement compare_unsafe(const ArraySystem& system, const Trace& trace, bool approximate) {
  const std::uint32_t needed = std::max({trace.processes, least_processes(system), 1u});
  const std::uint32_t most = std::min(needed + 2, system.number_of_processes.value_or(needed + 2));
  for (std::uint32_t processes = needed; processes <= most; ++processes)
    if (complete(system, processes, trace.steps).run) return {AgreementKind::kConfirmed};
  for (std::uint32_t processes = least_processes(system); processes <= most_instances(system); ++processes)
    if (explore(system, processes, limits_for(system)).unsafe()) return {AgreementKind::kOther};
  // Processes that the trace does not name are as if crashed for universal guards.
  // And of numbers that may become anything the reference machine tries only a few.
  const std::string text = print_array_system(system);
  const bool weakened = approximate || text.find("forall") != std::string::npos || has_open_numbers(system);
  if (weakened) return {AgreementKind::kUnknown};
  return {AgreementKind::kDisagree, false, "said to be unsafe, but up to 4 processes are not"};
}

}  // namespace

ArrayAgreement compare_array(const ArraySystem& system, bool guess) {
  const Vocabulary vocabulary(system);
  Context context(
      {.timeout = std::chrono::milliseconds(2000)}, [](const ProgressSample&, double) {}, false);
  ArrayOptions options;
  options.inference = guess ? Inference::kAlways : Inference::kNever;
  options.instance_states = 2'000;
  const ArrayAnswer answer = check_array_system(vocabulary, options, context);
  switch (answer.search.outcome) {
    case SearchOutcome::kSafe: return compare_safe(system);
    case SearchOutcome::kUnsafe:
      return compare_unsafe(system, answer.search.trace, answer.search.approximate);
    case SearchOutcome::kLimit:
    case SearchOutcome::kGaveUp: break;
  }
  return {AgreementKind::kUnknown};
}

}  // namespace weir::selfcheck
