#include "engine/explicit/explicit.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

#include "engine/explicit/fewest_switches.hpp"
#include "engine/explicit/searches.hpp"
#include "engine/explicit/witness_builder.hpp"
#include "engine/value_limits_answer.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

constexpr std::array kReductions = {std::pair{Reduction::kAuto, "auto"},
                                    std::pair{Reduction::kNone, "none"},
                                    std::pair{Reduction::kLocalFirst, "local-first"},
                                    std::pair{Reduction::kPersistent, "persistent"},
                                    std::pair{Reduction::kDynamic, "dynamic"},
                                    std::pair{Reduction::kCartesian, "cartesian"}};

constexpr std::uint32_t kFirstRound = 2;        // stores per buffer in the first of several rounds
constexpr std::size_t kMostThreadsInSets = 64;  // see Accesses

SystemOptions system_options(const ExplicitOptions& options, std::optional<std::uint32_t> buffer) {
  const bool every_instruction =
      options.reduction == Reduction::kNone || options.reduction == Reduction::kLocalFirst;
  return {options.model, every_instruction,   options.live_variables,
          buffer,        options.local_steps, options.values};
}

// One exploration with a given bound on the buffers, and everything it needs.
struct Round {
  Round(const Program& program, const ExplicitOptions& options, std::optional<std::uint32_t> buffer,
        Context& context)
      : system(program, system_options(options, buffer)),
        monitor(system),
        exploration(system, monitor, options, context,
                    options.symmetry && options.reduction != Reduction::kDynamic) {}

  void run() {
    switch (exploration.options.reduction) {
      case Reduction::kNone: return plain_search(exploration, /*persistent=*/false);
      case Reduction::kAuto:
      case Reduction::kPersistent: return plain_search(exploration, /*persistent=*/true);
      case Reduction::kLocalFirst: return local_first_search(exploration);
      case Reduction::kDynamic: return dynamic_search(exploration);
      case Reduction::kCartesian: return cartesian_search(exploration);
    }
  }

  System system;
  Monitor monitor;
  Exploration exploration;
};

// A depth-first search would follow a growing buffer for ever: it gets bounds that grow from round to round.
bool needs_rounds(const ExplicitOptions& options) {
  if (options.model == Model::kSc || options.buffer) return false;
  return options.search == Search::kDepthFirst || options.reduction == Reduction::kDynamic;
}

std::size_t longest_buffer(System& system) {
  std::size_t longest = 0;
  for (std::size_t t = 0; t < system.thread_count(); ++t) {
    ThreadView& view = system.view(t);
    for (std::size_t c = 0; c < view.size(); ++c)
      longest = std::max(longest, view.buffer_length(ComponentId(c)));
  }
  return longest;
}

void publish(Round& round, const ExplicitOptions& options, Statistics& out) {
  const Exploration& x = round.exploration;
  out.set("states", std::uint64_t{x.table.size()});
  out.set("transitions", x.statistics.transitions);
  out.set("terminal_states", x.statistics.terminal);
  out.set("depth", x.statistics.depth);
  std::uint64_t local_states = 0, instructions = 0;
  for (std::size_t t = 0; t < round.system.thread_count(); ++t) {
    bool counted = false;
    for (std::size_t u = 0; u < t; ++u) counted |= round.system.view_number(u) == round.system.view_number(t);
    if (counted) continue;
    local_states += round.system.view(t).automaton().state_count();
    instructions += round.system.view(t).automaton().instructions();
  }
  out.set("local_states", local_states);
  out.set("instructions", instructions);
  out.set("memories", std::uint64_t{round.system.memory().size()});
  if (options.model != Model::kSc) out.set("longest_buffer", std::uint64_t{longest_buffer(round.system)});
  out.set(
      "bytes_per_state",
      x.table.size() == 0 ? 0.0 : static_cast<double>(x.table.bytes()) / static_cast<double>(x.table.size()));
}

void answer_unsafe(Round& round, const ExplicitOptions& options, Context& context, Answer& answer) {
  Exploration& x = round.exploration;
  answer.verdict = Verdict::kUnsafe;
  answer.reason = x.found->violation.message;
  answer.witness = build_witness(x, *x.found, options.reduction == Reduction::kCartesian);
  const auto most_steps = static_cast<std::uint32_t>(2 * answer.witness->steps.size() + 16);
  auto better = fewest_switches(round.system, round.monitor, x.found->violation, most_steps,
                                options.minimise_effort, context);
  if (better) answer.witness = std::move(better);
}

// Could nothing that was buffered wake a thread?
bool flushed_rightly(const Round& round) {
  return std::ranges::none_of(round.exploration.sleep_guards, [&](std::uint32_t cell) {
    return round.system.buffers().ever_pushed(CellId(cell));
  });
}

// Where an atomic block was cut, and by whom it is executed.
std::optional<std::pair<std::size_t, EdgeId>> cut_block(System& system) {
  for (std::size_t t = 0; t < system.thread_count(); ++t)
    if (const EdgeId edge = system.blocks(t).cut()) return std::pair{t, edge};
  return std::nullopt;
}

void warn_about_local_steps(const ExplicitOptions& options, SourcePosition position, Answer& answer) {
  answer.bound.emplace_back("local_steps", std::to_string(options.local_steps));
  answer.diagnostics.push_back({Severity::kWarning, answer.reason, position,
                                "if it ends eventually, raise the limit with --local-steps"});
}

// Cells of a block have the width of the accesses to them, so two of different width cannot both be right.
void explain_mixed_sizes(const Program& program, std::pair<Value, Value> addresses, Answer& answer) {
  answer.reason = fmt::format("{} and {} overlap, but are accessed with different sizes",
                              program.address_name(addresses.first), program.address_name(addresses.second));
  answer.diagnostics.push_back({Severity::kWarning,
                                answer.reason,
                                {},
                                "memory that threads may share is read with the size it is written with"});
}

void explain_left_out(const Program& program, EdgeId id, Answer& answer) {
  const Edge& edge = program.edge(id);
  std::string hint;
  switch (edge.instruction.op) {
    case Opcode::kHalt: answer.reason = edge.instruction.message; break;
    case Opcode::kAllocate:
      answer.reason = fmt::format("a thread allocates more than {} blocks, or one of more than {} bytes",
                                  kMostBlocks, kLargestBlock);
      break;
    default:
      answer.reason = "an access touches a part of a variable, or several at once";
      hint = "memory that threads may share is read with the size it is written with";
  }
  answer.diagnostics.push_back({Severity::kWarning, answer.reason, edge.position, std::move(hint)});
}

// Were executions left out?
bool incomplete(Round& round, const Context& context) {
  const Exploration& x = round.exploration;
  const SharedMemory& memory = round.system.memory();
  return context.stopped() || x.bounded || x.cut || cut_block(round.system) || memory.grown() ||
         memory.left_range() || memory.mixed_sizes() || round.monitor.gave_up();
}

void explain_unknown(Round& round, const ExplicitOptions& options, Context& context, Answer& answer) {
  Exploration& x = round.exploration;
  answer.verdict = Verdict::kUnknown;
  const Program& program = round.system.program();
  if (context.stopped()) {
    answer.reason = fmt::format("{} after {} states", describe(context.stop_reason()), x.table.size());
    if (options.model != Model::kSc)
      answer.bound.emplace_back("buffer", std::to_string(longest_buffer(round.system)));
    if (options.search == Search::kBreadthFirst && x.statistics.depth > 0)
      answer.bound.emplace_back("depth", std::to_string(x.statistics.depth));
  } else if (const auto grown = round.system.memory().grown()) {
    explain_growth(program, round.system.memory(), *grown, answer.reason, answer.bound, answer.diagnostics);
  } else if (x.cut) {
    const std::string& thread = program.thread(x.cut->thread).name;
    answer.reason =
        fmt::format("thread {} executes more than {} instructions in a row without touching memory", thread,
                    options.local_steps);
    warn_about_local_steps(
        options,
        x.cut->location ? program.location(x.cut->location).position : program.thread(x.cut->thread).position,
        answer);
  } else if (const auto mixed = round.system.memory().mixed_sizes()) {
    explain_mixed_sizes(program, *mixed, answer);
  } else if (const EdgeId edge = round.monitor.gave_up()) {
    explain_left_out(program, edge, answer);
  } else if (const auto block = cut_block(round.system)) {
    answer.reason = fmt::format("an atomic block of thread {} does not end within {} states",
                                program.threads[block->first].name, options.local_steps);
    warn_about_local_steps(options, program.edge(block->second).position, answer);
  } else if (round.system.memory().left_range()) {
    answer.reason = "no violation within the given ranges, but values leave them";
    explain_ranges(program, options.values, answer.bound);
  } else {
    answer.reason = fmt::format(
        "no violation with at most {} stores in a buffer, but buffers can grow beyond", *options.buffer);
    answer.bound.emplace_back("buffer", std::to_string(*options.buffer));
  }
}

}  // namespace

const char* name(Reduction reduction) {
  for (const auto& [value, text] : kReductions)
    if (value == reduction) return text;
  return "?";
}

std::optional<Reduction> parse_reduction(std::string_view wanted) {
  for (const auto& [value, text] : kReductions)
    if (wanted == text) return value;
  return std::nullopt;
}

Answer check_explicit(const Program& program, const ExplicitOptions& wanted, Context& context) {
  Answer answer;
  answer.engine = "explicit";
  ExplicitOptions options = wanted;
  // These two reorder accesses that do not conflict, and may pass by the moment at which two others could
  // both happen.
  if (program.properties.races &&
      (options.reduction == Reduction::kDynamic || options.reduction == Reduction::kCartesian))
    options.reduction = Reduction::kPersistent;
  const bool sets_of_threads =
      options.reduction == Reduction::kDynamic || options.reduction == Reduction::kCartesian;
  if (sets_of_threads && program.threads.size() > kMostThreadsInSets) {
    answer.reason = fmt::format("the {} reduction handles at most {} threads; this program has {}",
                                name(options.reduction), kMostThreadsInSets, program.threads.size());
    return answer;
  }
  options.flush_early =
      options.flush_early && options.model != Model::kSc && program.properties.invariants.empty();
  std::optional<std::uint32_t> buffer = needs_rounds(options) ? kFirstRound : options.buffer;
  auto round = std::make_unique<Round>(program, options, buffer, context);
  round->run();
  while (needs_rounds(options) && round->exploration.bounded && !round->exploration.finished()) {
    buffer = *buffer * 2;
    round = std::make_unique<Round>(program, options, buffer, context);
    round->run();
  }
  const bool stopped_early = round->exploration.found && options.record == nullptr;
  if (!stopped_early && !flushed_rightly(*round)) {
    options.flush_early = false;
    return check_explicit(program, options, context);
  }

  const Exploration& x = round->exploration;
  publish(*round, options, answer.statistics);
  if (options.record) options.record->complete = !incomplete(*round, context);
  if (x.found) {
    answer_unsafe(*round, options, context, answer);
  } else if (incomplete(*round, context)) {
    explain_unknown(*round, options, context, answer);
  } else {
    answer.verdict = Verdict::kSafe;
    answer.reason = fmt::format("all {} reachable states explored", x.table.size());
  }
  return answer;
}

}  // namespace weir
