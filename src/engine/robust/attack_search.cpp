#include "engine/robust/attack_search.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace weir {

namespace {

constexpr std::uint64_t kPollMask = 0x3FF;

}  // namespace

AttackSearch::AttackSearch(const Program& program, const RobustOptions& options,
                           const std::vector<Attack>& attacks, const std::vector<bool>& wanted,
                           Context& context, bool tells_progress)
    : attacks_(attacks),
      options_(options),
      context_(context),
      tells_progress_(tells_progress),
      system_(program, options, attacks, wanted),
      table_(AttackRow::kFirstThread + program.threads.size()),
      row_(program.threads.size()),
      next_(program.threads.size()) {}

void AttackSearch::run() {
  insert(system_.initial(), StateTable::kNoParent);
  if (options_.order == AttackOrder::kShortest) {
    breadth_first();
  } else {
    depth_first();
  }
}

// States are numbered as they are found, so the queue is a position in the table.
void AttackSearch::breadth_first() {
  for (std::size_t next = 0; next < table_.size() && !finished(); ++next) {
    expand(static_cast<Index>(next));
    if ((next & kPollMask) == 0) tell_progress(table_.size() - next);
  }
}

void AttackSearch::depth_first() {
  std::uint64_t count = 0;
  while (!stack_.empty() && !finished()) {
    const Index next = stack_.back();
    stack_.pop_back();
    expand(next);
    if ((++count & kPollMask) == 0) tell_progress(stack_.size());
  }
}

bool AttackSearch::finished() const {
  return context_.stopped() || system_.memory().grown() || (!options_.all && !found_.empty());
}

void AttackSearch::tell_progress(std::size_t open) {
  if (!tells_progress_ || !context_.progress_due()) return;
  context_.report_progress({.phase = "robustness", .states = table_.size(), .queue = open});
}

bool AttackSearch::complete() const {
  return !context_.stopped() && !system_.memory().grown() && !system_.memory().left_range() &&
         !system_.memory().mixed_sizes() && !system_.cut && !system_.gave_up && !system_.after_release;
}

void AttackSearch::expand(Index index) {
  table_.unpack(table_.row(index), row_.ids.data());
  if (system_.settled(row_)) return;
  if (!expand_local_mover(index))
    for (const AttackSystem::Successor& successor : system_.successors(row_)) reach(successor, index);
  for (const Index success : successes_)
    if (options_.all || found_.empty()) record(success);
  successes_.clear();
}

// Before anybody delays, a thread that can only move locally moves alone: its steps commute with everything.
// Only if they lead to new states, so that no thread is forgotten for ever.
bool AttackSearch::expand_local_mover(Index index) {
  const AttackControl& control = system_.control(row_);
  if (control.phase != AttackControl::Phase::kSequential || control.block_open) return false;
  for (std::size_t t = 0; t < row_.thread_count(); ++t) {
    if (!system_.moves_locally(row_, t)) continue;
    bool all_new = true;
    for (const AttackSystem::Successor& successor : system_.successors(row_, t))
      all_new &= reach(successor, index);
    return all_new;
  }
  return false;
}

bool AttackSearch::reach(const AttackSystem::Successor& successor, Index parent) {
  ++transitions_;
  next_.ids = successor.row.ids;
  system_.canonicalise(next_);
  const Index index = insert(next_, parent);
  if (last_added_ && system_.success(next_)) successes_.push_back(index);
  return last_added_;
}

AttackSearch::Index AttackSearch::insert(const AttackRow& row, Index parent) {
  for (std::size_t field = 0; field < row.ids.size(); ++field)
    if (!table_.fits(field, row.ids[field])) table_.widen(field, row.ids[field]);
  packed_.resize(table_.words());
  table_.pack(row.ids, packed_.data());
  const auto [index, added] = table_.insert(packed_.data(), table_.hash(packed_.data()), parent);
  last_added_ = added;
  if (added && options_.order == AttackOrder::kEarliest) stack_.push_back(index);
  return index;
}

// The steps from the initial state, found again one by one. The table holds representatives of symmetric
// states: `order[t]` says which thread of the program is meant by thread t there.
std::vector<AttackStep> AttackSearch::steps_to(Index target) {
  std::vector<Index> path;
  for (Index i = target; i != StateTable::kNoParent; i = table_.parent(i)) path.push_back(i);
  std::ranges::reverse(path);
  std::vector<std::size_t> order(row_.thread_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  AttackRow from(order.size()), wanted(order.size()), reached(order.size());
  std::vector<AttackStep> steps;
  for (std::size_t i = 1; i < path.size(); ++i) {
    table_.unpack(table_.row(path[i - 1]), from.ids.data());
    table_.unpack(table_.row(path[i]), wanted.ids.data());
    bool known = false;
    for (const AttackSystem::Successor& successor : system_.successors(from)) {
      reached.ids = successor.row.ids;
      std::vector<std::size_t> next_order = order;
      system_.canonicalise(reached, &next_order);
      if (reached.ids != wanted.ids) continue;
      AttackStep step{successor.move, successor.row.local(successor.move.thread), from.memory()};
      step.move.thread = order[successor.move.thread];
      steps.push_back(step);
      order = std::move(next_order);
      known = true;
      break;
    }
    WEIR_CHECK(known, "a visited state is reached by a step from its parent");
  }
  return steps;
}

void AttackSearch::record(Index index) {
  table_.unpack(table_.row(index), next_.ids.data());
  if (system_.settled(next_)) return;
  std::vector<AttackStep> steps = steps_to(index);
  FoundAttack result;
  Attack attack;
  for (const AttackStep& step : steps) {
    if (step.move.kind == AttackMove::Kind::kFirstStore) {
      attack.thread = ThreadId(step.move.thread);
      attack.store = edge_of(step);
    }
    if (attack.load || ThreadId(step.move.thread) != attack.thread) continue;
    const std::vector<EdgeId> edges = system_.edges(step.move);
    result.path.insert(result.path.end(), edges.begin(), edges.end());
    if (step.move.kind == AttackMove::Kind::kAttackLoad) attack.load = edge_of(step);
  }
  result.attack = system_.index_of(attack);
  exchange(steps, attack.thread.index(), attacks_[result.attack].thread.index());
  result.witness = attack_witness(system_, steps, options_.notion == RobustnessNotion::kTriangular);
  system_.found(result.attack);
  found_.push_back(std::move(result));
}

// An attack names the first of the threads with its code: let it be that one who attacks.
void AttackSearch::exchange(std::vector<AttackStep>& steps, std::size_t a, std::size_t b) {
  for (AttackStep& step : steps) {
    std::size_t& thread = step.move.thread;
    thread = thread == a ? b : thread == b ? a : thread;
  }
}

EdgeId AttackSearch::edge_of(const AttackStep& step) {
  return system_.automaton(step.move.thread).actions(step.move.local)[step.move.action].edge;
}

}  // namespace weir
