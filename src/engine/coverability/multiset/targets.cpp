// The violations of a program as configurations: for each failing step what it needs; for goals and exclusive
// lists the local states there; for invariants all combinations of local states and values that break them.
#include <algorithm>

#include "engine/coverability/multiset/system.hpp"
#include "machine/evaluate.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

using Locations = std::vector<LocationId>;

// The locations that the list names for the thread.
Locations locations_of(const std::vector<ThreadLocation>& list, std::size_t thread) {
  Locations found;
  for (const ThreadLocation& at : list)
    if (at.thread == ThreadId(thread)) found.push_back(at.location);
  return found;
}

}  // namespace

class MultisetTargets {
 public:
  MultisetTargets(const MultisetSystem& system, const Program& program, std::size_t most)
      : system_(system), program_(program), most_(most) {}

  std::optional<std::vector<MultisetConfiguration>> run() {
    add_failures();
    for (const auto& goal : program_.properties.goals) add_goal(goal);
    for (const auto& list : program_.properties.exclusive) add_exclusive(list);
    for (const Invariant& invariant : program_.properties.invariants) add_broken(invariant);
    if (too_many_) return std::nullopt;
    return std::move(found_);
  }

 private:
  // A thread or a cell that a target speaks of, and what it can be.
  struct Dimension {
    bool thread = true;
    std::size_t which = 0;
    std::vector<std::uint32_t> choices;  // local states, or numbers of values
  };

  void add(MultisetConfiguration configuration) {
    too_many_ |= found_.size() >= most_;
    if (!too_many_) found_.push_back(std::move(configuration));
  }

  void add_failures() {
    for (std::uint32_t t = 0; t < system_.thread_count(); ++t)
      for (const MultisetTransition& step : system_.transitions(t)) {
        if (step.to) continue;
        std::vector<MultisetConfiguration> before;
        system_.undo(system_.anything(), t, step, before);
        for (MultisetConfiguration& c : before) add(std::move(c));
      }
  }

  void add_goal(const std::vector<ThreadLocation>& goal) {
    std::vector<Dimension> dimensions;
    for (std::size_t t = 0; t < system_.thread_count(); ++t)
      if (const Locations named = locations_of(goal, t); !named.empty())
        dimensions.push_back({true, t, states_at(t, named)});
    if (!dimensions.empty()) add_all(dimensions, [](const MultisetConfiguration&) { return true; });
  }

  void add_exclusive(const std::vector<ThreadLocation>& list) {
    std::vector<Dimension> inside;
    for (std::size_t t = 0; t < system_.thread_count(); ++t)
      inside.push_back({true, t, states_at(t, locations_of(list, t))});
    for (std::size_t t = 0; t < inside.size(); ++t)
      for (std::size_t u = t + 1; u < inside.size(); ++u)
        add_all({inside[t], inside[u]}, [](const MultisetConfiguration&) { return true; });
  }

  void add_broken(const Invariant& invariant) {
    std::vector<Dimension> dimensions;
    for (std::size_t t = 0; t < system_.thread_count(); ++t)
      if (reads(invariant, ExprOp::kThreadRegister,
                [&](const Expression& e) { return e.thread == ThreadId(t); }))
        dimensions.push_back({true, t, states_where(t, [](StateId) { return true; })});
    for (std::size_t cell = 0; cell < system_.cell_count(); ++cell)
      if (reads(invariant, ExprOp::kSharedCell,
                [&](const Expression& e) { return e.constant == system_.address(cell); })) {
        dimensions.push_back({false, cell, {}});
        for (ValueNumber v = 0; v < system_.values(cell).size(); ++v) dimensions.back().choices.push_back(v);
      }
    add_all(dimensions, [&](const MultisetConfiguration& c) { return broken(invariant, c); });
  }

  template <class Test>
  bool reads(const Invariant& invariant, ExprOp op, const Test& test) const {
    bool found = false;
    for_each_subexpression(program_, invariant.expression,
                           [&](const Expression& e) { found |= e.op == op && test(e); });
    return found;
  }

  bool broken(const Invariant& invariant, const MultisetConfiguration& c) const {
    const auto holds = evaluate(program_, invariant.expression, Environment{*this, c});
    return !holds || *holds == 0;
  }

  struct Environment {
    const MultisetTargets& targets;
    const MultisetConfiguration& configuration;

    Value leaf(const Expression& e) const {
      if (e.op == ExprOp::kSharedCell) return targets.held(configuration, e.constant);
      const std::size_t t = e.thread.index();
      return targets.system_.automaton(t).register_value(StateId(configuration.states[t]), e.reg);
    }
  };

  Value held(const MultisetConfiguration& c, Value address) const {
    for (std::size_t cell = 0; cell < system_.cell_count(); ++cell)
      if (system_.address(cell) == address) return initialised(system_.values(cell)[c.memory[cell]]);
    return initialised(system_.untouched(address));
  }
  static Value initialised(Value value) { return value == kUninitialised ? 0 : value; }

  template <class Test>
  std::vector<std::uint32_t> states_where(std::size_t thread, const Test& test) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t s = 0; s < system_.state_count(thread); ++s)
      if (!system_.inside_block(thread, s) && test(StateId(s))) found.push_back(s);
    return found;
  }

  std::vector<std::uint32_t> states_at(std::size_t thread, const Locations& locations) const {
    return states_where(thread, [&](StateId s) {
      return std::ranges::find(locations, system_.automaton(thread).location(s)) != locations.end();
    });
  }

  // All combinations of choices that pass the test.
  template <class Test>
  void add_all(const std::vector<Dimension>& dimensions, const Test& test) {
    constexpr std::size_t kTriesPerTarget = 16;
    std::size_t combinations = 1;
    for (const Dimension& d : dimensions) {
      if (d.choices.empty()) return;
      combinations *= d.choices.size();
      too_many_ |= combinations > most_ * kTriesPerTarget;
      if (too_many_) return;
    }
    for (std::size_t number = 0; number < combinations && !too_many_; ++number) {
      MultisetConfiguration c = system_.anything();
      std::size_t rest = number;
      for (const Dimension& d : dimensions) {
        (d.thread ? c.states : c.memory)[d.which] = d.choices[rest % d.choices.size()];
        rest /= d.choices.size();
      }
      if (test(c)) add(std::move(c));
    }
  }

  const MultisetSystem& system_;
  const Program& program_;
  const std::size_t most_;
  bool too_many_ = false;
  std::vector<MultisetConfiguration> found_;
};

std::optional<std::vector<MultisetConfiguration>> MultisetSystem::targets(std::size_t most) const {
  return MultisetTargets(*this, program_, most).run();
}

}  // namespace weir
