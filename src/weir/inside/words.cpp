#include "weir/inside/words.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/nearest_word.hpp"
#include "program/variables.hpp"
#include "report/execution/storyline.hpp"

namespace weir::v1 {

namespace {

constexpr std::pair<weir::ViolationKind, ViolationKind> kViolationKinds[] = {
    {weir::ViolationKind::kAssertion, ViolationKind::kAssertion},
    {weir::ViolationKind::kDeadlock, ViolationKind::kDeadlock},
    {weir::ViolationKind::kRace, ViolationKind::kRace},
    {weir::ViolationKind::kMemory, ViolationKind::kMemory},
    {weir::ViolationKind::kGoal, ViolationKind::kGoal},
    {weir::ViolationKind::kForbidden, ViolationKind::kForbidden},
    {weir::ViolationKind::kUnsafe, ViolationKind::kUnsafe},
    {weir::ViolationKind::kRobustness, ViolationKind::kRobustness},
    {weir::ViolationKind::kTriangularRace, ViolationKind::kTriangularRace},
    {weir::ViolationKind::kStarvation, ViolationKind::kStarvation}};

}  // namespace

const char* version() { return WEIR_VERSION; }

const char* name(Model model) { return weir::name(inside(model)); }

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUnknown: return "unknown";
    case Verdict::kSafe: return "safe";
    case Verdict::kUnsafe: return "unsafe";
    case Verdict::kRobust: return "robust";
    case Verdict::kNotRobust: return "not-robust";
    case Verdict::kConsistent: return "consistent";
    case Verdict::kInconsistent: return "inconsistent";
    case Verdict::kFair: return "fair";
    case Verdict::kUnfair: return "unfair";
    case Verdict::kDone: return "done";
  }
  return "?";
}

const char* name(StopReason reason) {
  switch (reason) {
    case StopReason::kNone: return "none";
    case StopReason::kTimeout: return "timeout";
    case StopReason::kMemory: return "memory";
    case StopReason::kCancelled: return "cancelled";
  }
  return "?";
}

const char* name(ViolationKind kind) {
  for (const auto& [ours, theirs] : kViolationKinds)
    if (theirs == kind) return weir::name(ours);
  return "?";
}

weir::Model inside(Model model) {
  switch (model) {
    case Model::kSc: return weir::Model::kSc;
    case Model::kTso: return weir::Model::kTso;
    case Model::kPso: return weir::Model::kPso;
  }
  fail_usage("there is no such memory model");
}

Model outside(weir::Model model) {
  switch (model) {
    case weir::Model::kSc: return Model::kSc;
    case weir::Model::kTso: return Model::kTso;
    case weir::Model::kPso: return Model::kPso;
  }
  throw InternalError("a model without a name outside");
}

Verdict outside(weir::Verdict verdict) {
  switch (verdict) {
    case weir::Verdict::kSafe: return Verdict::kSafe;
    case weir::Verdict::kUnsafe: return Verdict::kUnsafe;
    case weir::Verdict::kUnknown: return Verdict::kUnknown;
  }
  throw InternalError("a verdict without a name outside");
}

ViolationKind outside(weir::ViolationKind kind) {
  for (const auto& [ours, theirs] : kViolationKinds)
    if (ours == kind) return theirs;
  throw InternalError("a kind of violation without a name outside");
}

Place place(const SourceMap& sources, SourcePosition position) {
  if (!position.file) return {};
  return {sources.file(position.file).path, position.line, position.column};
}

Execution execution(const weir::Program& program, const Witness& witness) {
  Execution out{.model = outside(witness.model)};
  out.violation = {outside(witness.violation.kind), witness.violation.message,
                   place(program.sources, witness.violation.position)};
  for (StoryEvent& event : weir::tell(program, witness).events) {
    if (witness.starvation && event.step >= witness.starvation->loop && !out.loop)
      out.loop = out.steps.size();
    out.steps.push_back({.thread = program.thread(event.thread).name,
                         .action = event.action,
                         .address = event.address ? program.address_name(*event.address) : "",
                         .value = event.value,
                         .text = std::move(event.text),
                         .buffered = event.buffered,
                         .local = event.local,
                         .place = place(program.sources, event.position)});
  }
  if (witness.starvation && !out.loop) out.loop = out.steps.size();
  return out;
}

std::optional<Execution> execution(const weir::Program& program, const std::optional<Witness>& witness) {
  if (!witness) return std::nullopt;
  return execution(program, *witness);
}

std::optional<ThreadCounts> counts(const std::optional<weir::ThreadCounts>& threads) {
  if (!threads) return std::nullopt;
  return ThreadCounts{threads->counts, threads->total, threads->least};
}

ValueLimits value_limits(const weir::Program& program, const Limits& limits, ValueLimits values) {
  if (limits.values) values.most_values = *limits.values;
  for (const Range& range : limits.ranges) {
    if (range.low > range.high)
      fail_usage(fmt::format("there is no value from {} to {}", range.low, range.high));
    const auto address = find_address(program, range.variable);
    if (!address)
      fail_usage(fmt::format("there is no variable '{}'", range.variable),
                 did_you_mean(range.variable, variable_names(program)));
    values.ranges.push_back({*address, range.low, range.high});
  }
  return values;
}

verify::PropertyRequest property_request(const Properties& properties) {
  return {.goal = properties.goal,
          .exclusive = properties.exclusive,
          .invariants = properties.invariants,
          .deadlock = properties.deadlock,
          .races = properties.races,
          .leaks = properties.leaks};
}

void add_properties(weir::Program& program, const Properties& properties) {
  if (const auto problem = verify::add_properties(program, property_request(properties)))
    fail_usage(problem->message, problem->hint);
}

void tell(Answer& answer, const Said& said, Call& call) {
  answer.verdict = said.verdict;
  answer.reason = said.reason;
  if (said.verdict == Verdict::kUnknown) answer.stopped = call.stopped();
  for (const auto& [what, reached] : said.bound) answer.bound.push_back({what, reached});
  answer.engine = said.engine;
  answer.model = outside(said.model);
  for (const auto& [name, figure] : said.statistics.entries()) answer.figures.push_back({name, figure});
  answer.seconds = call.context().seconds();
}

}  // namespace weir::v1
