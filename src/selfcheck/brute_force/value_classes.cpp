#include "selfcheck/brute_force/value_classes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/error.hpp"

namespace weir::selfcheck {

namespace {

using Pairs = std::set<std::pair<StepName, StepName>>;  // the first comes before the second

const VisibleStep& step_at(const History& history, const StepName& name) {
  return history.threads[name.thread][name.index];
}

bool reads(const VisibleStep& step) {
  return step.kind == VisibleStep::Kind::kRead || step.kind == VisibleStep::Kind::kUpdate;
}

bool writes(const VisibleStep& step) {
  return step.kind == VisibleStep::Kind::kWrite || step.kind == VisibleStep::Kind::kUpdate;
}

std::vector<StepName> all_steps(const History& history) {
  std::vector<StepName> names;
  for (std::size_t thread = 0; thread < history.threads.size(); ++thread)
    for (std::size_t index = 0; index < history.threads[thread].size(); ++index)
      names.push_back({thread, index});
  return names;
}

std::string pairs_text(const Pairs& pairs) {
  std::string text;
  for (const auto& [earlier, later] : pairs)
    text += fmt::format("{} before {}\n", name_text(earlier), name_text(later));
  return text;
}

// Everything before a step in the causal order, for every step.
class CausalPasts {
 public:
  explicit CausalPasts(const History& history) : history_(history) {}

  const std::set<StepName>& of(const StepName& name) {
    if (const auto known = pasts_.find(name); known != pasts_.end()) return known->second;
    std::set<StepName> past;
    if (name.index > 0) add(past, {name.thread, name.index - 1});
    if (const std::optional<StepName>& source = step_at(history_, name).source) add(past, *source);
    return pasts_[name] = std::move(past);
  }

 private:
  void add(std::set<StepName>& past, const StepName& earlier) {
    past.insert(earlier);
    const std::set<StepName>& before = of(earlier);
    past.insert(before.begin(), before.end());
  }

  const History& history_;
  std::map<StepName, std::set<StepName>> pasts_;
};

Pairs causal_order_of_reads(const History& history, const OpenReads* only) {
  const auto compared = [&](const StepName& name) {
    return reads(step_at(history, name)) && (only == nullptr || only->contains(history, name));
  };
  CausalPasts pasts(history);
  Pairs pairs;
  for (const StepName& later : all_steps(history))
    if (compared(later))
      for (const StepName& earlier : pasts.of(later))
        if (compared(earlier)) pairs.emplace(earlier, later);
  return pairs;
}

// Under SC, how many writes to its cell there are up to an access, itself included.
std::size_t writes_up_to(const History& history, const StepName& name) {
  const VisibleStep& step = step_at(history, name);
  const std::optional<StepName> last = writes(step) ? name : step.source;
  if (!last) return 0;
  const Writes& order = history.coherence.at(step.address);
  const auto place = std::ranges::find(order, *last);
  WEIR_CHECK(place != order.end(), "under SC a write is in memory at once");
  return static_cast<std::size_t>(place - order.begin()) + 1;
}

bool conflict(const VisibleStep& one, const VisibleStep& other) {
  const bool access = reads(one) || writes(one), other_access = reads(other) || writes(other);
  return access && other_access && one.address == other.address && (writes(one) || writes(other));
}

// Under SC: does the first of two conflicting steps come first? A read comes after the write that it shares
// the number with, and before the next.
bool comes_first(const History& history, const StepName& one, const StepName& other) {
  const std::size_t place = writes_up_to(history, one), other_place = writes_up_to(history, other);
  return place < other_place || (place == other_place && writes(step_at(history, one)));
}

Pairs conflicts_among_leaves(const History& history, ThreadId root) {
  std::vector<StepName> leaves = all_steps(history);
  std::erase_if(leaves, [&](const StepName& name) { return name.thread == root.index(); });
  Pairs pairs;
  for (const StepName& one : leaves)
    for (const StepName& other : leaves)
      if (one != other && conflict(step_at(history, one), step_at(history, other)) &&
          comes_first(history, one, other))
        pairs.emplace(one, other);
  return pairs;
}

// Which reads of the root read from the root.
std::string sides_text(const History& history, ThreadId root) {
  std::string text = "root reads its own:";
  const std::vector<VisibleStep>& steps = history.threads[root.index()];
  for (std::size_t index = 0; index < steps.size(); ++index)
    if (steps[index].source && steps[index].source->thread == root.index()) text += fmt::format(" {}", index);
  return text + "\n";
}

void add_classes(ValueClassSets& sets, const History& history, const OpenReads& open, Model model,
                 ThreadId root) {
  sets.values.insert(values_text(history));
  sets.reads_value_from.insert(reads_value_from_text(history));
  sets.open_reads_value_from.insert(reads_value_from_text(history, &open));
  if (model == Model::kSc) {
    sets.value_centric.insert(value_centric_text(history, root));
    sets.open_value_centric.insert(value_centric_text(history, root, &open));
    sets.data_centric.insert(data_centric_text(history, root));
  }
}

}  // namespace

OpenReads::OpenReads(const MaximalExecutions& executions) {
  for (const MaximalExecution& execution : executions.all)
    for (const StepName& name : all_steps(execution.history)) {
      const VisibleStep& step = step_at(execution.history, name);
      if (reads(step)) sources_[place_of(execution.history, name)].insert(step.source);
    }
}

bool OpenReads::contains(const History& history, const StepName& read) const {
  return sources_.at(place_of(history, read)).size() > 1;
}

OpenReads::Place OpenReads::place_of(const History& history, const StepName& read) {
  const std::vector<VisibleStep>& steps = history.threads[read.thread];
  Place place{read.thread, {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(read.index)}};
  for (VisibleStep& step : place.second) step.source.reset();
  return place;
}

ValueClasses value_classes(const Program& program, Model model, ThreadId root,
                           const ExecutionLimits& limits) {
  const MaximalExecutions executions = maximal_executions(program, model, limits);
  const OpenReads open(executions);
  ValueClasses found{.too_large = executions.too_large};
  for (const MaximalExecution& execution : executions.all) {
    add_classes(execution.blocked ? found.blocked : found.proper, execution.history, open, model, root);
    if (execution.fails) add_classes(found.failing, execution.history, open, model, root);
  }
  return found;
}

std::string values_text(const History& history) { return threads_text(history, /*sources=*/false); }

std::string reads_value_from_text(const History& history, const OpenReads* only) {
  return values_text(history) + "causally:\n" + pairs_text(causal_order_of_reads(history, only));
}

std::string value_centric_text(const History& history, ThreadId root, const OpenReads* only) {
  return reads_value_from_text(history, only) + sides_text(history, root) + "leaves:\n" +
         pairs_text(conflicts_among_leaves(history, root));
}

std::string data_centric_text(const History& history, ThreadId root) {
  return threads_text(history, /*sources=*/true) + "leaves:\n" +
         pairs_text(conflicts_among_leaves(history, root));
}

}  // namespace weir::selfcheck
