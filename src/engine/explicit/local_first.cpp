// Local events first [Calin16, Algorithms 4.2 and 4.3]: once a thread has taken a local step it is the
// favourite and goes on alone until it takes a step that is not local. Blocks of local steps of different
// threads are thus not interleaved.
//
// Three points where the text leaves a gap:
//  - The algorithm prunes on visited states alone although what it explores from a state depends on the
//  favourite.
//    Here a state first expanded for one favourite and then reached with another is expanded once more,
//    fully.
//  - A favourite that can do nothing (it stopped, or waits) hands over to all; otherwise the terminal states
//  after
//    a last local block would be lost.
//  - A step that the properties can see counts as not local; if data races are looked for, so does one that
//    brings the thread to an access: another thread must be able to come to its own. What is preserved is the
//    set of reachable memory valuations, of terminal states, and of everything visible.
#include <algorithm>

#include "engine/explicit/searches.hpp"

namespace weir {

namespace {

class LocalFirst {
 public:
  explicit LocalFirst(Exploration& exploration) : x_(exploration) {}

  void run() {
    if (!x_.resume(*this)) visit(x_.start(), kNobody);
    for (; !x_.finished(); ++expansions_) {
      if ((expansions_ & kPollMask) == 0) x_.save_if_due(*this);
      Work work;
      if (x_.options.search == Search::kBreadthFirst) {
        if (next_ == work_.size()) break;
        work = work_[next_++];
        if (next_ > kCompactAt && next_ * 2 > work_.size()) {
          work_.erase(work_.begin(), work_.begin() + static_cast<std::ptrdiff_t>(next_));
          next_ = 0;
        }
      } else {
        if (work_.empty()) break;
        work = work_.back();
        work_.pop_back();
      }
      expand(work);
      if ((expansions_ & kPollMask) == 0) x_.tell_progress(work_.size() - next_);
    }
    x_.save_if_stopped(*this);
  }

  // Between two expansions.
  template <class Archive>
  void transfer(Archive& archive) {
    x_.transfer(archive);
    archive.section("search");
    archive(next_, expansions_, favourite_of_, work_);
  }

 private:
  using Index = StateTable::Index;
  using Favourite = std::uint16_t;

  static constexpr Favourite kNobody = 0xFFFF;
  static constexpr std::uint64_t kPollMask = 0x3FF;
  static constexpr std::size_t kCompactAt = 4096;

  struct Work {
    Index state = 0;
    Favourite favourite = kNobody;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(state, favourite);
    }
  };

  void visit(Index state, Favourite favourite) {
    if (state >= favourite_of_.size()) {
      favourite_of_.resize(state + 1, kNobody);
      favourite_of_[state] = favourite;
    } else {
      Favourite& known = favourite_of_[state];
      if (known == kNobody || known == favourite) return;
      known = favourite = kNobody;
    }
    work_.push_back({state, favourite});
  }

  void expand(Work work) {
    if (favourite_of_[work.state] != work.favourite) return;  // a full expansion is queued
    const GlobalState state = x_.state(work.state);
    if (work.favourite != kNobody && expand_thread(work.state, state, work.favourite) != 0) return;
    favourite_of_[work.state] = kNobody;
    std::size_t moves = 0;
    for (std::size_t t = 0; t < state.components.size(); ++t) moves += expand_thread(work.state, state, t);
    if (moves == 0) x_.terminal(work.state);
  }

  std::size_t expand_thread(Index index, const GlobalState& state, std::size_t t) {
    const ComponentId component = state.components[t];
    std::size_t moves = 0;
    // Copied: reaching a state may unfold components, which moves the list.
    const auto offered = x_.system.view(t).steps(component);
    const std::vector<Step> steps(offered.begin(), offered.end());
    for (const Step& step : steps)
      x_.system.execute(t, component, state.memory, step, [&](const Move& move) {
        ++moves;
        if (move.fails) return x_.fail(index, t, component, state.memory, move);
        GlobalState next = state;
        next.components[t] = move.component;
        next.memory = move.memory;
        const Index reached = x_.reach(next, index, t).index;
        visit(reached, is_local(t, component, move) ? position_of(reached, t, move.component) : kNobody);
      });
    x_.bounded |= x_.system.view(t).bounded(component);
    x_.statistics.transitions += moves;
    return moves;
  }

  bool is_local(std::size_t thread, ComponentId component, const Move& move) {
    return move.step->effect == Effect::kNone && !move.step->needs_lock &&
           !x_.monitor.visible(thread, component, move.component) &&
           !(x_.system.program().properties.races && offers_access(thread, move.component));
  }

  bool offers_access(std::size_t thread, ComponentId component) {
    return std::ranges::any_of(x_.system.view(thread).steps(component),
                               [](const Step& step) { return step.access != AccessKind::kNone; });
  }

  // Where the symmetry reduction put the component.
  Favourite position_of(Index state, std::size_t thread, ComponentId component) {
    if (x_.symmetry.trivial()) return static_cast<Favourite>(thread);
    const GlobalState reached = x_.state(state);
    for (std::size_t t = 0; t < reached.components.size(); ++t)
      if (x_.system.view_number(t) == x_.system.view_number(thread) && reached.components[t] == component)
        return static_cast<Favourite>(t);
    WEIR_CHECK(false, "the component is in the state just reached");
    return kNobody;
  }

  Exploration& x_;
  std::vector<Favourite> favourite_of_;
  std::vector<Work> work_;
  std::uint64_t next_ = 0;  // breadth-first: what comes next of it
  std::uint64_t expansions_ = 0;
};

}  // namespace

void local_first_search(Exploration& exploration) { LocalFirst(exploration).run(); }

}  // namespace weir
