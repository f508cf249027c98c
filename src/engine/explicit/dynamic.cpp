// Dynamic partial order reduction with visited states [Calin16, Algorithm 4.4; FlanaganGodefroid05].
//
// The algorithm explores one thread per state and adds others only where accesses met later conflict.
// Combined with a visited set as the text suggests it is unsound: a search that is cut at a visited state
// misses the conflicts between its own prefix and what follows that state. Here each state s keeps
//   future(s)  the accesses that any thread offers in s or in an explored state reachable from it, and
//   chosen(s)  the threads that are explored from s,
// and the exploration goes on until these conditions hold everywhere:
//  (1) future(s) contains what s offers and future(s') for each explored successor s';
//  (2) if p is chosen in s, offers an access a there, and future(s) has an access of q != p that conflicts
//  with a,
//      then q is chosen in s too, or, if q cannot move in s, all threads that can;
//  (3) chosen(s) is not empty unless nothing can move, and every cycle of explored states has a state in
//  which all
//      threads that can move are chosen.
//
// Why this is enough. Claim: each event of a run from s (in the full system) is in future(s), and chosen(s)
// is persistent. Let e1 … en be a run from s by threads outside chosen(s) and a an event of a chosen thread
// p. If en were the first in conflict with a, then a e1 … e(n-1) is a run, after which en's thread q still
// offers en: q has not moved otherwise. So en is in future of s after a, hence in future(s), and (2) puts q
// into chosen(s): a contradiction. Thus the first event of any run that belongs to a chosen thread can be
// moved to its front, and a run without one can be prefixed by a chosen event; by (3) that happens finitely
// often before a state with all threads is met, so the induction on the length of the run goes through. (2)
// uses offered, not enabled, accesses: what another thread can enable counts.
//
// Cost: one interned set per state; the sets are small when threads share little, which is when this pays.
#include <bit>

#include "base/fault.hpp"
#include "engine/explicit/accesses.hpp"
#include "engine/explicit/searches.hpp"

namespace weir {

namespace {

class DynamicSearch {
 public:
  explicit DynamicSearch(Exploration& exploration)
      : x_(exploration), accesses_(exploration.system, exploration.monitor) {}

  void run() {
    push(x_.start(), kNobody);
    while (!x_.finished()) {
      if (!stack_.empty()) {
        advance();
      } else if (!waiting_.empty()) {
        const Index index = waiting_.back();
        waiting_.pop_back();
        push(index, kNobody);
      } else if (!changed_.empty()) {
        const Index index = changed_.back();
        changed_.pop_back();
        hand_on(index);
      } else {
        return;
      }
    }
  }

 private:
  using Index = StateTable::Index;
  using Threads = std::uint64_t;

  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

  struct Node {
    Threads enabled = 0;
    Threads chosen = 0;
    Threads explored = 0;
    AccessSetId future;
    std::uint32_t first_predecessor = kEnd;
    bool on_stack = false;
    bool changed = false;  // is in `changed_`
  };
  struct Link {
    Index state;
    std::uint32_t next;
  };
  // A state on the depth-first stack, and the successors of the thread being explored that are still to be
  // visited.
  struct Frame {
    Index state;
    std::vector<std::pair<Index, std::uint32_t>> successors;  // with the thread that moved
  };

  static Threads bit(std::size_t thread) { return Threads{1} << thread; }

  // A new state: what it offers, and which thread goes first.
  void push(Index index, std::uint32_t mover) {
    if (index >= nodes_.size()) nodes_.resize(index + 1);
    if (!nodes_[index].future) {
      const GlobalState state = x_.state(index);
      Node& node = nodes_[index];
      node.future = Accesses::kNone;
      bool can_fail = false;
      for (std::size_t t = 0; t < state.components.size(); ++t) {
        node.future = accesses_.unite(node.future, accesses_.offered(t, state.components[t], state.memory));
        x_.bounded |= x_.system.view(t).bounded(state.components[t]);
      }
      x_.system.successors(state, [&](std::size_t t, const Move& move) {
        node.enabled |= bit(t);
        can_fail |= move.fails;
      });
      if (node.enabled == 0) x_.terminal(index);
      // A failing step ends the execution, so it commutes with nothing.
      node.chosen = can_fail ? node.enabled : first_choice(state, node.enabled, mover);
      complete_choice(index, state);
    }
    nodes_[index].on_stack = true;
    stack_.push_back({index, {}});
    x_.statistics.depth = std::max<std::uint64_t>(x_.statistics.depth, stack_.size());
  }

  // A thread without accesses if there is one, else the one that moved last, else any.
  Threads first_choice(const GlobalState& state, Threads enabled, std::uint32_t mover) {
    for (Threads rest = enabled; rest != 0; rest &= rest - 1) {
      const auto t = static_cast<std::size_t>(std::countr_zero(rest));
      if (accesses_.offered(t, state.components[t], state.memory) == Accesses::kNone) return bit(t);
    }
    if (mover != kNobody && (enabled & bit(mover))) return bit(mover);
    return enabled & (~enabled + 1);
  }

  // Condition (2).
  void complete_choice(Index index, const GlobalState& state) {
    Node& node = nodes_[index];
    Threads examined = 0;
    while (Threads rest = node.chosen & ~examined) {
      const auto p = static_cast<std::size_t>(std::countr_zero(rest));
      examined |= bit(p);
      const AccessSetId offered = accesses_.offered(p, state.components[p], state.memory);
      const Threads conflicting = accesses_.conflicting_threads(offered, node.future);
      node.chosen |= conflicting & node.enabled;
      if (conflicting & ~node.enabled) node.chosen = node.enabled;
    }
  }

  void advance() {
    Frame& frame = stack_.back();
    if (!frame.successors.empty()) {
      const auto [next, mover] = frame.successors.back();
      frame.successors.pop_back();
      arrive(frame.state, next, mover);
      return;
    }
    Node& node = nodes_[frame.state];
    if (const Threads rest = node.chosen & ~node.explored) {
      explore_thread(static_cast<std::size_t>(std::countr_zero(rest)));
      return;
    }
    const Index done = frame.state;
    node.on_stack = false;
    stack_.pop_back();
    if (!stack_.empty()) absorb(stack_.back().state, done);
    if ((done & 0x3FF) == 0) x_.tell_progress(stack_.size());
  }

  void explore_thread(std::size_t t) {
    const Index from = stack_.back().state;
    nodes_[from].explored |= bit(t);
    const GlobalState state = x_.state(from);
    const ComponentId component = state.components[t];
    const auto offered = x_.system.view(t).steps(component);
    const std::vector<Step> steps(offered.begin(), offered.end());
    std::vector<std::pair<Index, std::uint32_t>> successors;
    for (const Step& step : steps)
      x_.system.execute(t, component, state.memory, step, [&](const Move& move) {
        ++x_.statistics.transitions;
        if (move.fails) return x_.fail(from, t, component, state.memory, move);
        GlobalState next = state;
        next.components[t] = move.component;
        next.memory = move.memory;
        successors.emplace_back(x_.reach(next, from, t).index, static_cast<std::uint32_t>(t));
      });
    stack_.back().successors = std::move(successors);
  }

  void arrive(Index from, Index next, std::uint32_t mover) {
    const bool is_new = next >= nodes_.size() || !nodes_[next].future;
    if (is_new) push(next, mover);
    nodes_[next].first_predecessor = add_link(from, nodes_[next].first_predecessor);
    if (is_new) return;
    if (nodes_[next].on_stack) nodes_[from].chosen = nodes_[from].enabled;  // condition (3)
    absorb(from, next);
  }

  std::uint32_t add_link(Index state, std::uint32_t next) {
    links_.push_back({state, next});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }

  // Condition (1) for one explored step. A state on the stack hands its future on to its parent there when it
  // is popped; other predecessors have to be told later.
  void absorb(Index from, Index next) {
    const AccessSetId before = nodes_[from].future;
    const AccessSetId after = accesses_.unite(before, nodes_[next].future);
    if (after == before) return;
    nodes_[from].future = after;
    if (!fault("dropped-backtrack")) complete_choice(from, x_.state(from));
    const bool has_parent = nodes_[from].on_stack && stack_.size() >= 2;
    const Index parent = has_parent ? stack_[stack_.size() - 2].state : StateTable::kNoParent;
    for (std::uint32_t i = nodes_[from].first_predecessor; i != kEnd; i = links_[i].next)
      if (links_[i].state != parent) return mark_changed(from);
  }

  void mark_changed(Index index) {
    if (nodes_[index].changed) return;
    nodes_[index].changed = true;
    changed_.push_back(index);
  }

  // The future of a state grew after some predecessor had taken it over: tell them. A predecessor that has to
  // choose more threads because of it chooses all: new steps from a finished state may close a cycle that the
  // depth-first stack does not show.
  void hand_on(Index index) {
    nodes_[index].changed = false;
    for (std::uint32_t i = nodes_[index].first_predecessor; i != kEnd; i = links_[i].next) {
      const Index predecessor = links_[i].state;
      absorb(predecessor, index);
      Node& node = nodes_[predecessor];
      if ((node.chosen & ~node.explored) == 0) continue;
      node.chosen = node.enabled;
      waiting_.push_back(predecessor);
    }
  }

  Exploration& x_;
  Accesses accesses_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<Frame> stack_;
  std::vector<Index> changed_;  // states whose future grew and whose predecessors do not know
  std::vector<Index> waiting_;  // finished states with threads to explore
};

}  // namespace

void dynamic_search(Exploration& exploration) { DynamicSearch(exploration).run(); }

}  // namespace weir
