#include "engine/coverability/dual/targets.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "machine/evaluate.hpp"
#include "memory/shared_memory.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostCases = 200'000;  // in which an invariant is evaluated

// What an invariant looks at.
struct Leaves {
  std::set<Value> addresses;
  std::set<std::pair<ThreadId, RegisterId>> registers;
};

class TargetBuilder {
 public:
  TargetBuilder(const Program& program, const ThreadMoves& moves, bool templates)
      : program_(program), moves_(moves), templates_(templates) {}

  DualTargets build() {
    const Properties& properties = program_.properties;
    if (properties.deadlock) refuse("deadlocks");
    if (properties.races) refuse("data races");
    if (properties.leaks) refuse("leaks");
    add_failures();
    for (const auto& goal : properties.goals) add_goal(goal);
    for (const auto& list : properties.exclusive) add_exclusive(list);
    for (const Invariant& invariant : properties.invariants) add_invariant(invariant);
    return std::move(result_);
  }

 private:
  using Actors = std::vector<std::pair<ThreadId, Post>>;

  void refuse(const char* what) {
    if (result_.obstacle.empty())
      result_.obstacle = fmt::format("{} cannot be found by a backward search", what);
  }

  void add(const Actors& actors, DualDraft draft = {}) {
    DualTarget target{std::move(draft), {}};
    for (const auto& [thread, post] : actors) {
      DualThread& added = target.draft.threads.emplace_back();
      added.post = post;
      added.tag = static_cast<std::uint32_t>(target.actors.size());
      target.actors.push_back(thread);
    }
    target.draft.sort_threads();
    result_.targets.push_back(std::move(target));
  }

  void add_failures() {
    for (std::uint32_t code = 0; code < moves_.code_count(); ++code)
      if (moves_.exists(moves_.failed(code))) add({{ThreadId::none(), moves_.failed(code)}});
  }

  // Where the thread is when it is at one of these locations.
  std::vector<Post> posts_at(ThreadId thread, const std::vector<ThreadLocation>& places) const {
    const auto code = static_cast<std::uint32_t>(moves_.closure().code_of(thread));
    std::vector<Post> posts;
    for_each_post(code, [&](Post post, StateId state) {
      const ThreadLocation here{thread, automaton(code).location(state)};
      if (std::ranges::find(places, here) != places.end()) posts.push_back(post);
    });
    return posts;
  }

  template <class Visit>
  void for_each_post(std::uint32_t code, const Visit& visit) const {
    for (Post post = moves_.start(code); post < moves_.end(code); ++post)
      if (moves_.state(post)) visit(post, moves_.state(post));
  }

  void add_goal(const std::vector<ThreadLocation>& goal) {
    std::vector<ThreadId> threads;
    for (const ThreadLocation& place : goal)
      if (std::ranges::find(threads, place.thread) == threads.end()) threads.push_back(place.thread);
    Actors actors;
    const auto place_from = [&](const auto& self, std::size_t i) -> void {
      if (i == threads.size()) return add(actors);
      for (const Post post : posts_at(threads[i], goal)) {
        actors.emplace_back(threads[i], post);
        self(self, i + 1);
        actors.pop_back();
      }
    };
    place_from(place_from, 0);
  }

  void add_exclusive(const std::vector<ThreadLocation>& list) {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t u = t; u < program_.threads.size(); ++u) {
        if (t == u && (!templates_ || program_.threads[t].single)) continue;
        for (const Post first : posts_at(ThreadId(t), list))
          for (const Post second : posts_at(ThreadId(u), list))
            add({{ThreadId(t), first}, {ThreadId(u), second}});
      }
  }

  // A state of memory is one of the dual semantics too, and so are local states; but not together, since
  // there memory is ahead of the threads.
  void add_invariant(const Invariant& invariant) {
    Leaves leaves;
    for_each_subexpression(program_, invariant.expression, [&](const Expression& e) {
      if (e.op == ExprOp::kSharedCell) leaves.addresses.insert(e.constant);
      if (e.op == ExprOp::kThreadRegister) leaves.registers.emplace(e.thread, e.reg);
    });
    if (!leaves.addresses.empty() && !leaves.registers.empty())
      return refuse("violations of invariants over registers and memory together");
    cases_ = 0;
    if (leaves.registers.empty())
      add_broken_memory(invariant, {leaves.addresses.begin(), leaves.addresses.end()});
    else
      add_broken_registers(invariant, leaves);
    if (cases_ > kMostCases) refuse("violations of an invariant over so many values");
  }

  struct Known {
    absl::flat_hash_map<Value, Value> memory;
    absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, Value> registers;

    Value leaf(const Expression& e) const {
      if (e.op == ExprOp::kSharedCell) {
        const Value value = memory.at(e.constant);
        return value == kUninitialised ? 0 : value;
      }
      return registers.at({e.thread.index(), e.reg.index()});
    }
  };

  bool broken(const Invariant& invariant, const Known& known) {
    ++cases_;
    const std::optional<Value> holds = evaluate(program_, invariant.expression, known);
    return !holds || *holds == 0;
  }

  void add_broken_memory(const Invariant& invariant, const std::vector<Value>& addresses) {
    SharedMemory memory(program_);
    Known known;
    DualDraft draft;
    const auto try_from = [&](const auto& self, std::size_t i) -> void {
      if (cases_ > kMostCases) return;
      if (i == addresses.size()) {
        if (broken(invariant, known)) add({}, draft);
        return;
      }
      const auto cell = std::ranges::find(moves_.cells(), addresses[i], &ClosedCell::address);
      if (cell == moves_.cells().end()) {  // nobody accesses it
        known.memory[addresses[i]] = memory.read_address(memory.initial(), addresses[i]);
        return self(self, i + 1);
      }
      const auto number = static_cast<std::uint16_t>(cell - moves_.cells().begin());
      if (moves_.written_in_section(number))
        return refuse("violations of invariants about what is written between lock and unlock");
      for (std::uint16_t v = 0; v < cell->values.size(); ++v) {
        known.memory[addresses[i]] = cell->values[v];
        draft.require({number, v});
        self(self, i + 1);
        draft.forget(number);
      }
    };
    try_from(try_from, 0);
  }

  void add_broken_registers(const Invariant& invariant, const Leaves& leaves) {
    std::vector<ThreadId> threads;
    for (const auto& [thread, reg] : leaves.registers)
      if (threads.empty() || threads.back() != thread) threads.push_back(thread);
    Known known;
    Actors actors;
    const auto try_from = [&](const auto& self, std::size_t i) -> void {
      if (cases_ > kMostCases) return;
      if (i == threads.size()) {
        if (broken(invariant, known)) add(actors);
        return;
      }
      const auto code = static_cast<std::uint32_t>(moves_.closure().code_of(threads[i]));
      if (moves_.has_section(code))
        return refuse("violations of invariants about registers of threads that take the lock");
      for_each_post(code, [&](Post post, StateId state) {
        for (const auto& [thread, reg] : leaves.registers)
          if (thread == threads[i])
            known.registers[{thread.index(), reg.index()}] = automaton(code).register_value(state, reg);
        actors.emplace_back(threads[i], post);
        self(self, i + 1);
        actors.pop_back();
      });
    };
    try_from(try_from, 0);
  }

  ThreadAutomaton& automaton(std::uint32_t code) const { return *moves_.closure().threads()[code].automaton; }

  const Program& program_;
  const ThreadMoves& moves_;
  bool templates_;
  std::size_t cases_ = 0;
  DualTargets result_;
};

}  // namespace

DualTargets dual_targets(const Program& program, const ThreadMoves& moves, bool templates) {
  return TargetBuilder(program, moves, templates).build();
}

}  // namespace weir
