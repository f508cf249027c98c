#include "report/svcomp/svcomp.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "check/replay.hpp"
#include "program/ordering.hpp"
#include "report/execution/c_places.hpp"
#include "report/execution/storyline.hpp"

namespace weir {

namespace {

constexpr std::string_view kErrorFunction = "reach_error";
constexpr std::string_view kCreates = "creates a thread";  // as the C runtime calls it

std::string check(std::string_view formula) {
  return fmt::format("CHECK( init(main()), LTL(G {}) )", formula);
}

// Of the violation, in the words of the competition; empty if it has none.
std::string specification(const Program& program, const Witness& witness) {
  switch (witness.violation.kind) {
    case ViolationKind::kAssertion: return check("! call(reach_error())");
    case ViolationKind::kRace: return check("! data-race");
    case ViolationKind::kMemory: {
      if (witness.violation.property == kLeak) return check("valid-memcleanup");
      const bool frees = !witness.steps.empty() && witness.steps.back().edge &&
                         program.edge(witness.steps.back().edge).instruction.op == Opcode::kFree;
      return check(frees ? "valid-free" : "valid-deref");
    }
    default: return "";
  }
}

class Builder {
 public:
  Builder(const Program& program, const Witness& witness) : program_(program), witness_(witness) {}

  std::vector<SvcompStep> run() {
    const Storyline story = tell(program_, witness_);
    for (const StoryEvent& event : story.events) {
      const bool fails = event.step + 1 == witness_.steps.size() && fails_at_last_step();
      if (!fails) add(event);
    }
    add_targets();
    return std::move(steps_);
  }

 private:
  bool fails_at_last_step() const {
    const ViolationKind kind = witness_.violation.kind;
    return kind == ViolationKind::kAssertion ||
           (kind == ViolationKind::kMemory && witness_.violation.property != kLeak);
  }

  std::uint32_t number(ThreadId thread) {
    return numbers_.try_emplace(thread, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  // Is this in a file that the user can see?
  bool is_located(SourcePosition position) const {
    return position.file && position.known() && !program_.sources.file(position.file).text.empty();
  }

  void add(const StoryEvent& event) {
    const WitnessStep& step = witness_.steps[event.step];
    if (step.kind == WitnessStep::Kind::kFlush) return;
    const Instruction& instruction = program_.edge(step.edge).instruction;
    const std::uint32_t thread = number(event.thread);
    if (instruction.op == Opcode::kCall && entered_.insert(event.thread).second && thread != 0)
      steps_.push_back({.kind = SvcompStep::Kind::kEnter,
                        .thread = thread,
                        .position = start_of(program_.function(instruction.callee)),
                        .function = program_.function(instruction.callee).name});
    if (!is_located(event.position)) return;
    if (instruction.op == Opcode::kChoose) return add_choice(event, thread);
    if (event.local) return;
    SvcompStep access{.thread = thread, .position = statement_start(program_.sources, event.position)};
    if (!enters(event.thread, access.position, step.edge)) return;
    if (instruction.op == Opcode::kAtomicBegin && instruction.message == kCreates)
      if (const auto created = created_thread(event.step)) {
        access.kind = SvcompStep::Kind::kCreate;
        access.value = number(*created);
      }
    steps_.push_back(std::move(access));
  }

  // Does the thread come to this statement, or is it in its middle? It comes anew if it does the same again.
  bool enters(ThreadId thread, SourcePosition statement, EdgeId edge) {
    Visit& visit = visits_[thread];
    if (visit.statement == statement && visit.edges.insert(edge).second) return false;
    visit = {statement, {edge}};
    return true;
  }

  SourcePosition start_of(const Function& function) const {
    return is_located(function.position) ? function.position : SourcePosition{};
  }

  void add_choice(const StoryEvent& event, std::uint32_t thread) {
    const auto call = call_at(program_.sources, event.position);
    if (!call || !call->function.starts_with("__VERIFIER_nondet_")) return;
    enters(event.thread, statement_start(program_.sources, event.position), witness_.steps[event.step].edge);
    steps_.push_back({.kind = SvcompStep::Kind::kChoice,
                      .thread = thread,
                      .position = call->end,
                      .function = call->function,
                      .value = event.value.value_or(0)});
  }

  // The thread whose state is set in the block that starts at a step.
  std::optional<ThreadId> created_thread(std::size_t step) const {
    for (++step; step < witness_.steps.size(); ++step) {
      const Instruction& instruction = program_.edge(witness_.steps[step].edge).instruction;
      if (instruction.op == Opcode::kAtomicEnd) return std::nullopt;
      if (instruction.op != Opcode::kStore) continue;
      const std::string name = program_.address_name(witness_.steps[step].address);
      if (name.ends_with(".state")) return program_.find_thread(name.substr(0, name.find('.')));
    }
    return std::nullopt;
  }

  void add_target(std::uint32_t thread, SourcePosition position) {
    steps_.push_back(
        {.kind = SvcompStep::Kind::kTarget,
         .thread = thread,
         .position = is_located(position) ? statement_start(program_.sources, position) : position});
  }

  void add_targets() {
    const std::vector<RacingAccess> race = replay(program_, witness_).race;
    for (const RacingAccess& access : race)
      add_target(number(access.thread), program_.edge(access.edge).position);
    if (!race.empty()) return;
    const std::uint32_t last = witness_.steps.empty() ? 0 : number(witness_.steps.back().thread);
    add_target(last, call_of_error_function().value_or(end_position()));
  }

  // The violation is the call, and not what the function does.
  std::optional<SourcePosition> call_of_error_function() const {
    if (witness_.violation.message.find(kErrorFunction) == std::string::npos) return std::nullopt;
    const SourcePosition inside = witness_.violation.position;
    for (auto step = witness_.steps.rbegin(); step != witness_.steps.rend(); ++step) {
      if (step->thread != witness_.steps.back().thread || !step->edge) continue;
      const SourcePosition before = program_.edge(step->edge).position;
      if (is_located(before) && before.line != inside.line)
        return next_call(program_.sources, before, kErrorFunction);
    }
    return std::nullopt;
  }

  SourcePosition end_position() const {
    if (is_located(witness_.violation.position)) return witness_.violation.position;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
      if (is_located(step->position)) return step->position;
    return {};
  }

  // The statement in which a thread is, and what it has done there.
  struct Visit {
    SourcePosition statement;
    std::set<EdgeId> edges;
  };

  const Program& program_;
  const Witness& witness_;
  std::map<ThreadId, Visit> visits_;
  std::map<ThreadId, std::uint32_t> numbers_{{ThreadId(0), 0}};
  std::set<ThreadId> entered_;
  std::vector<SvcompStep> steps_;
};

}  // namespace

Expected<SvcompWitness, std::string> svcomp_witness(const Program& program, const Witness* witness) {
  SvcompWitness result;
  result.sources = &program.sources;
  if (witness == nullptr) {
    result.specification = check(program.properties.races ? "! data-race" : "! call(reach_error())");
    return result;
  }
  if (!keeps_program_order(witness->model))
    return std::string("SV-COMP's formats know sequential consistency only");
  result.specification = specification(program, *witness);
  if (result.specification.empty())
    return fmt::format("SV-COMP has no property for a violation of kind {}", name(witness->violation.kind));
  result.violation = true;
  result.steps = Builder(program, *witness).run();
  return result;
}

std::string_view source_text(const SvcompWitness& witness, const std::string& file) {
  for (std::size_t i = 0; i < witness.sources->size(); ++i)
    if (witness.sources->file(FileId(i)).path == file) return witness.sources->file(FileId(i)).text;
  return {};
}

}  // namespace weir
