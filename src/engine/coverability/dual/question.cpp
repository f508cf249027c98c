#include "engine/coverability/dual/question.hpp"

#include <algorithm>

#include "machine/code.hpp"
#include "program/analysis/write_bound.hpp"

namespace weir {

namespace {

// Values are told apart one by one, so more than this is hopeless.
constexpr std::uint64_t kMostValues = 1024;

}  // namespace

DualQuestion::DualQuestion(const Program& program, const DualOptions& options, const SystemOptions& unfolding,
                           Context& context)
    : program_(program), options_(options) {
  if (options.any_number && knows_self(program))
    obstacle_ = "threads know their number, so copies of them do not behave alike";
  else
    close_values(unfolding, context);
}

void DualQuestion::close_values(const SystemOptions& unfolding, Context& context) {
  const std::vector<AutomatonOptions> automata = automaton_options(program_, unfolding);
  closure_.emplace(
      program_, automata,
      ValueClosureLimits{.values_per_address = std::min(options_.values.most_values, kMostValues),
                         .ranges = options_.values.ranges,
                         .most_writes = writes_at_most()},
      context);
  if (!closure_->closed()) {
    obstacle_ = context.stopped() ? describe(context.stop_reason()) : closure_->reason();
    return;
  }
  MoveOptions choices{.model = options_.model, .own_cells = !options_.textbook};
  for (const std::uint32_t most : thread_numbers().most) choices.single.push_back(most == 1);
  for (const AutomatonOptions& automaton : automata)
    choices.observed.insert(choices.observed.end(), automaton.observed_locations.begin(),
                            automaton.observed_locations.end());
  moves_.emplace(program_, *closure_, choices);
  obstacle_ = moves_->obstacle();
  if (obstacle_.empty()) bad_ = dual_targets(program_, *moves_, options_.any_number);
}

// Certificates are not about lengths of executions.
std::optional<std::uint64_t> DualQuestion::writes_at_most() const {
  return options_.any_number || options_.textbook ? std::nullopt : most_writes(program_);
}

ThreadNumbers DualQuestion::thread_numbers(std::uint32_t most_in_all) const {
  ThreadNumbers numbers{.most_in_all = most_in_all};
  const auto is_template = [&](ThreadId t) { return options_.any_number && !program_.thread(t).single; };
  for (const ClosedThread& code : closure_->threads())
    numbers.most.push_back(std::ranges::any_of(code.threads, is_template)
                               ? ThreadNumbers::kAny
                               : static_cast<std::uint32_t>(code.threads.size()));
  return numbers;
}

}  // namespace weir
