#include "engine/explicit/explicit.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

#include "engine/explicit/fewest_switches.hpp"
#include "engine/explicit/left_out.hpp"
#include "engine/explicit/searches.hpp"
#include "engine/explicit/witness_builder.hpp"
#include "program/ordering.hpp"

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
  return {.model = options.model,
          .every_instruction = every_instruction,
          .live_variables = options.live_variables,
          .buffer = buffer,
          .local_steps = options.local_steps,
          .values = options.values,
          .abstraction = options.abstraction,
          .overlaps = Overlaps::kSplit};
}

// Are partial deadlocks looked for? Not where a thread that goes on for ever by itself may keep the others
// from being followed.
bool wants_steps(const Program& program, const ExplicitOptions& options) {
  const bool follows_all = options.reduction == Reduction::kNone ||
                           options.reduction == Reduction::kPersistent ||
                           options.reduction == Reduction::kAuto;
  return program.properties.partial_deadlock && follows_all && options.record == nullptr && has_loop(program);
}

// One exploration with a given bound on the buffers, and everything it needs.
struct Round {
  Round(const Program& program, const ExplicitOptions& options, std::optional<std::uint32_t> buffer,
        Context& context)
      : system(program, system_options(options, buffer)),
        monitor(system),
        exploration(system, monitor, options, context,
                    options.symmetry && options.reduction != Reduction::kDynamic) {
    if (wants_steps(program, options)) exploration.graph.want(exploration.interchangeable());
  }

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

// Where a checkpoint was made: the options of its round.
struct RoundReached {
  std::optional<std::uint32_t>& buffer;
  bool& flush_early;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("round");
    archive(buffer, flush_early);
  }
};

// A depth-first search would follow a growing buffer for ever: it gets bounds that grow from round to round.
bool needs_rounds(const ExplicitOptions& options) {
  if (!buffers_stores(options.model) || options.buffer) return false;
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
  if (buffers_stores(options.model)) out.set("longest_buffer", std::uint64_t{longest_buffer(round.system)});
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

LeftOut noticed(const Round& round) { return {round.exploration.bounded, round.exploration.cut}; }

// Were executions left out?
bool incomplete(Round& round, const Context& context) {
  return context.stopped() || left_out_something(round.system, round.monitor, noticed(round));
}

void explain_unknown(Round& round, const ExplicitOptions& options, Context& context, Answer& answer) {
  Exploration& x = round.exploration;
  answer.verdict = Verdict::kUnknown;
  if (!context.stopped()) return explain_left_out(round.system, round.monitor, noticed(round), answer);
  answer.reason = fmt::format("{} after {} states", describe(context.stop_reason()), x.table.size());
  if (buffers_stores(options.model))
    answer.bound.emplace_back("buffer", std::to_string(longest_buffer(round.system)));
  if (options.search == Search::kBreadthFirst && x.statistics.depth > 0)
    answer.bound.emplace_back("depth", std::to_string(x.statistics.depth));
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
  WEIR_CHECK(options.checkpoint == nullptr || options.record == nullptr,
             "checkpoints are of searches that do nothing besides");
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
  // An abstract buffer can be flushed in several ways, with different results.
  options.flush_early = options.flush_early && buffers_stores(options.model) && !options.abstraction &&
                        program.properties.invariants.empty();
  std::optional<std::uint32_t> buffer = needs_rounds(options) ? kFirstRound : options.buffer;
  if (options.checkpoint != nullptr && options.checkpoint->found()) {
    RoundReached reached{buffer, options.flush_early};
    options.checkpoint->look_at(reached);
  }
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

  Exploration& x = round->exploration;
  if (x.graph.wanted() && !x.found && !incomplete(*round, context)) x.look_for_partial_deadlock();
  publish(*round, options, answer.statistics);
  if (options.record) options.record->complete = !incomplete(*round, context);
  if (x.found) {
    answer_unsafe(*round, options, context, answer);
  } else if (incomplete(*round, context)) {
    explain_unknown(*round, options, context, answer);
  } else {
    answer.verdict = Verdict::kSafe;
    answer.reason = fmt::format("all {} reachable states explored", x.table.size());
    if (program.properties.partial_deadlock && !x.graph.wanted() && has_loop(program))
      answer.left_out = "; threads that are stuck while others go on for ever were not looked for";
    answer.reason += answer.left_out;
    respect_unordered_atomics(program, answer);
  }
  return answer;
}

}  // namespace weir
