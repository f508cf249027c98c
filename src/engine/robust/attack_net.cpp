#include "engine/robust/attack_net.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "engine/failure.hpp"
#include "engine/robust/attack_system.hpp"
#include "engine/robust/delay_graph.hpp"
#include "machine/evaluate.hpp"
#include "memory/shared_memory.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

// Something that is on or off. Both places are none if nobody needs to know.
struct Switch {
  PlaceId off, on;
};

struct NetCell {
  Value address = 0;
  Type type = kInt64;
  Value initial = 0;
  std::vector<Value> values;
  std::vector<PlaceId> holds;  // per value
  bool written = false;        // by some helper; otherwise no access of it is in conflict with another

  Switch accessed, stored;       // on the path
  Switch tried, tried_store;     // by the section on trial
  PlaceId not_delayed;           // none if no attacker stores here
  std::vector<PlaceId> delayed;  // per value; none where no attacker stores it
  PlaceId target;                // the attack's store is to this cell
};

// A transition in the making.
class Step {
 public:
  Step& take(PlaceId place) {
    takes.push_back({place});
    return *this;
  }
  Step& put(PlaceId place) {
    puts.push_back({place});
    return *this;
  }
  Step& move(PlaceId from, PlaceId to) { return take(from).put(to); }
  // Looks at a place of a group. Asking twice is asking once.
  Step& need(PlaceId place) {
    const bool known = std::ranges::find(takes, Tokens{place}) != takes.end();
    return known || !place ? *this : move(place, place);
  }
  Step& set(PlaceId place) {
    if (place) sets.push_back(place);
    return *this;
  }

  Marking takes, puts;
  std::vector<PlaceId> sets;
};

enum Section : std::uint8_t { kOutside = 0, kHoldsLock = 1, kInBlock = 2 };  // or both of them

// Where a helper is.
struct Post {
  std::uint32_t code = 0;
  StateId state;
  std::uint8_t section = kOutside;

  friend bool operator==(const Post&, const Post&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Post& p) {
    return H::combine(std::move(h), p.code, p.state.index(), p.section);
  }
};

// What an access may find and leave behind.
struct Outcome {
  std::optional<std::size_t> found;  // number of the value in the cell; none if it does not look
  std::optional<Value> written;
  StateId after;
};

class NetBuilder {
 public:
  NetBuilder(const Program& program, const ValueClosure& closure, const RobustOptions& options)
      : program_(program),
        closure_(closure),
        options_(options),
        graph_(program, options.fences),
        wanted_(closure.threads().size()) {}

  AttackNet build(const std::vector<Attack>& attacks, const std::vector<bool>& possible) {
    for (std::size_t i = 0; i < attacks.size(); ++i)
      if (possible[i]) wanted_[closure_.code_of(attacks[i].thread)].insert(attacks[i].store);
    look_at_cells();
    look_at_code();
    add_control();
    for (NetCell& cell : cells_) add_places(cell);
    for (std::uint32_t code = 0; code < closure_.threads().size(); ++code) add_start(code);
    while (!open_posts_.empty() || !open_attackers_.empty()) {
      if (!open_posts_.empty()) {
        const Post post = take_last(open_posts_);
        add_helper_steps(post);
      } else {
        const auto [code, state] = take_last(open_attackers_);
        add_attacker_steps(code, state);
      }
    }
    group(attacker_places_);
    group(target_places_);
    if (sections_) group(inside_places_);
    add_successes();
    if (sections_) add_merges();
    return std::move(result_);
  }

 private:
  // What there is.

  void look_at_cells() {
    SharedMemory memory(program_);
    for (const Value address : closure_.addresses()) {
      cell_numbers_.emplace(address, cells_.size());
      cells_.push_back({.address = address,
                        .type = memory.type(memory.cell(address)),
                        .initial = memory.read_address(memory.initial(), address),
                        .values = closure_.values(address)});
    }
  }

  void look_at_code() {
    for (std::uint32_t code = 0; code < closure_.threads().size(); ++code)
      for (std::size_t state = 0; state < closure_.threads()[code].state_count(); ++state)
        for (const Action& action : actions(code, StateId(state))) look_at(code, action);
  }

  void look_at(std::uint32_t code, const Action& action) {
    switch (action.kind) {
      case ActionKind::kLock:
      case ActionKind::kAtomicBegin: sections_ = true; break;
      case ActionKind::kRmw: cell_at(action.address).written = true; break;
      case ActionKind::kHalt:
        if (leaves_out(program_.edge(action.edge).instruction)) result_.gave_up = action.edge;
        break;
      case ActionKind::kStore: {
        NetCell& cell = cell_at(action.address);
        cell.written = true;
        if (wanted_[code].empty() || drains(action)) break;
        cell.delayed.resize(cell.values.size());
        if (PlaceId& place = cell.delayed[number_of(cell, action.value)]; !place) place = add_place();
        break;
      }
      default: break;
    }
  }

  // Places.

  PlaceId add_place(std::uint32_t initial = 0) { return result_.net.add_place(initial); }
  void group(const std::vector<PlaceId>& places) { result_.net.add_exclusive_group(places); }
  Switch add_switch() {
    const Switch result{add_place(1), add_place()};
    group({result.off, result.on});
    return result;
  }
  void add(const Step& step) { result_.net.add_transition(step.takes, step.puts, step.sets); }

  void add_control() {
    closing_ = add_switch();
    on_path_ = add_switch();
    no_attacker_ = add_place(1);
    attack_done_ = add_place();
    attacker_places_ = {no_attacker_, attack_done_};
    if (sections_) {
      nobody_inside_ = add_place(1);
      inside_places_ = {nobody_inside_};
      joined_ = add_switch();
    }
    no_target_ = add_place(1);
    target_places_ = {no_target_};
    success_ = add_place();
    result_.success = {{success_}};
  }

  void add_places(NetCell& cell) {
    for (const Value value : cell.values) cell.holds.push_back(add_place(value == cell.initial ? 1 : 0));
    group(cell.holds);
    if (!cell.written) return;
    cell.accessed = add_switch();
    cell.stored = add_switch();
    if (sections_) {
      cell.tried = add_switch();
      cell.tried_store = add_switch();
    }
    if (cell.delayed.empty()) return;
    cell.target = add_place();
    target_places_.push_back(cell.target);
    cell.not_delayed = add_place(1);
    std::vector<PlaceId> places{cell.not_delayed};
    std::ranges::copy_if(cell.delayed, std::back_inserter(places), [](PlaceId p) { return p.valid(); });
    group(places);
  }

  void add_start(std::uint32_t code) {
    const PlaceId start = add_place(PetriNet::kAnyNumber);
    result_.starts.push_back(start);
    const Post first = post(code, automaton(code).initial(), kOutside);
    places_of_.emplace(first, std::pair{start, add_place()});
    open_posts_.push_back(first);
  }

  // Of the helpers that are there, off and on the path.
  PlaceId off(const Post& post) { return places_of(post).first; }
  PlaceId on(const Post& post) { return places_of(post).second; }
  const std::pair<PlaceId, PlaceId>& places_of(const Post& post) {
    const auto [known, added] = places_of_.try_emplace(post);
    if (added) {
      known->second = {add_place(), add_place()};
      open_posts_.push_back(post);
      if (post.section != kOutside)
        inside_places_.insert(inside_places_.end(), {known->second.first, known->second.second});
    }
    return known->second;
  }

  PlaceId attacker(std::uint32_t code, StateId state) {
    const auto [known, added] = attacker_at_.try_emplace({code, state});
    if (added) {
      known->second = add_place();
      attacker_places_.push_back(known->second);
      open_attackers_.emplace_back(code, state);
    }
    return known->second;
  }

  // Helpers.

  // Fences mean nothing to a thread that does not delay.
  Post post(std::uint32_t code, StateId state, std::uint8_t section) {
    absl::flat_hash_set<std::uint32_t> seen;
    for (;;) {
      const std::span<const Action> offered = actions(code, state);
      if (offered.size() != 1 || offered[0].kind != ActionKind::kFence) break;
      if (!seen.insert(state.index()).second) break;
      state = automaton(code).successor(state, 0);
    }
    return {code, state, section};
  }

  void add_helper_steps(const Post& from) {
    const auto count = static_cast<std::uint32_t>(actions(from.code, from.state).size());
    for (std::uint32_t index = 0; index < count; ++index) {
      const Action action = actions(from.code, from.state)[index];
      add_helper_step(from, action, index);
      begin_delay(from, action, index);
    }
  }

  void add_helper_step(const Post& from, const Action& action, std::uint32_t index) {
    const auto next = [&](std::uint8_t section) {
      return post(from.code, automaton(from.code).successor(from.state, index), section);
    };
    const std::uint8_t section = from.section;
    switch (action.kind) {
      case ActionKind::kInternal:
      case ActionKind::kFence: return add_local(from, next(section));
      case ActionKind::kLoad:
      case ActionKind::kStore:
      case ActionKind::kRmw:
        for (const Outcome& outcome : outcomes(from.code, from.state, index))
          add_access(from, action, outcome);
        return;
      case ActionKind::kLock:
        if (section == kOutside) open_section(from, next(kHoldsLock));
        return;
      case ActionKind::kUnlock:
        if (section == kHoldsLock) close_section(from, next(kOutside));
        return;
      case ActionKind::kAtomicBegin:
        if ((section & kInBlock) == 0) open_section(from, next(section | kInBlock));
        return;
      case ActionKind::kAtomicEnd:
        if ((section & kInBlock) != 0) close_section(from, next(section & ~kInBlock));
        return;
      case ActionKind::kFree:
      case ActionKind::kHalt:
      case ActionKind::kFail: return;
    }
  }

  // May happen while another thread is in a block, because it could as well happen before.
  void add_local(const Post& from, const Post& to) {
    if (from.section != kOutside) return add_in_section(from, to);
    add(Step().move(off(from), off(to)).need(closing_.off));
    add(Step().move(on(from), on(to)).need(on_path_.on));
  }

  void open_section(const Post& from, const Post& to) {
    if (from.section != kOutside) return add_in_section(from, to);
    const Step open = Step().take(nobody_inside_);
    add(Step(open).move(off(from), off(to)).need(closing_.off));
    add(Step(open).move(on(from), on(to)).need(on_path_.on));
    add(forget_trial(Step(open).move(off(from), off(to)).need(closing_.on)));
  }

  // To leave a section that was on trial and did not join is a dead end.
  void close_section(const Post& from, const Post& to) {
    if (to.section != kOutside) return add_in_section(from, to);
    const Step close = Step().put(nobody_inside_);
    add(Step(close).move(off(from), off(to)).need(closing_.off));
    add(Step(close).move(on(from), on(to)).need(on_path_.on));
  }

  // Something that a thread in a section may do in every phase, and that is no access.
  void add_in_section(const Post& from, const Post& to) {
    add(Step().move(off(from), off(to)));
    add(Step().move(on(from), on(to)).need(on_path_.on));
  }

  // An access before the attack's load, on the path, by which the helper joins the path, and on trial.
  void add_access(const Post& from, const Action& action, const Outcome& outcome) {
    if (outcome.written && !in_range(action.address, *outcome.written)) return;
    const NetCell& cell = cell_at(action.address);
    const Post to = post(from.code, outcome.after, from.section);
    Step access = touch(cell, outcome);
    if (from.section == kOutside) access.need(nobody_inside_);
    add(Step(access).move(off(from), off(to)).need(closing_.off));
    add(raise(Step(access).move(on(from), on(to)).need(on_path_.on), outcome, cell.accessed, cell.stored));
    if (from.section != kOutside)
      add(raise(Step(access).move(off(from), off(to)).need(closing_.on), outcome, cell.tried,
                cell.tried_store));
    if (!cell.written) return;
    Step join = Step(access).move(off(from), on(to)).set(on_path_.on);
    if (outcome.written) {
      join.need(cell.accessed.on).set(cell.stored.on);
    } else {
      join.need(cell.stored.on);
    }
    if (from.section != kOutside) join.set(joined_.on);
    add(join);
  }

  // Cells that nobody writes have no switches; setting them does nothing.
  static Step raise(Step step, const Outcome& outcome, const Switch& accessed, const Switch& stored) {
    step.set(accessed.on);
    if (outcome.written) step.set(stored.on);
    return step;
  }

  Step touch(const NetCell& cell, const Outcome& outcome) {
    Step step;
    if (outcome.found) {
      const PlaceId found = cell.holds[*outcome.found];
      step.move(found, outcome.written ? holds(cell, *outcome.written) : found);
    } else {
      step.set(holds(cell, *outcome.written));
    }
    return step;
  }

  std::vector<Outcome> outcomes(std::uint32_t code, StateId state, std::uint32_t index) {
    const Action action = actions(code, state)[index];
    if (action.kind == ActionKind::kStore)
      return {{.written = action.value, .after = automaton(code).successor(state, index)}};
    const NetCell& cell = cell_at(action.address);
    std::vector<Outcome> result;
    for (std::size_t v = 0; v < cell.values.size(); ++v) {
      if (!can_return(action, returned(action, cell.values[v]))) continue;
      Outcome outcome{.found = v, .after = after_reading(code, state, index, cell.values[v])};
      const bool stores = action.kind == ActionKind::kRmw &&
                          (action.rmw != RmwOp::kCompareExchange || cell.values[v] == action.expected);
      if (stores) outcome.written = apply_rmw(action.rmw, cell.values[v], action.value, cell.type);
      result.push_back(outcome);
    }
    return result;
  }

  StateId after_reading(std::uint32_t code, StateId state, std::uint32_t index, Value value) {
    return automaton(code).successor(state, index, returned(actions(code, state)[index], value));
  }
  static Value returned(const Action& action, Value value) { return returned_value(action, value); }

  // What a section did on trial counts once it joined.
  void add_merges() {
    for (const NetCell& cell : cells_) {
      if (!cell.written) continue;
      add(Step().need(joined_.on).need(cell.tried.on).set(cell.accessed.on));
      add(Step().need(joined_.on).need(cell.tried_store.on).set(cell.stored.on));
    }
  }

  Step forget_trial(Step step) const {
    step.set(joined_.off);
    for (const NetCell& cell : cells_) step.set(cell.tried.off).set(cell.tried_store.off);
    return step;
  }

  // The attacker.

  void begin_delay(const Post& from, const Action& action, std::uint32_t index) {
    if (action.kind != ActionKind::kStore || drains(action) || from.section != kOutside) return;
    if (!wanted_[from.code].contains(action.edge) || !in_range(action.address, action.value)) return;
    const StateId after = automaton(from.code).successor(from.state, index);
    if (!may_go_on(from.code, after) || !passable(from.code, from.state, index, 0, 1)) return;
    const NetCell& target = cell_at(action.address);
    Step step = Step().move(no_attacker_, attacker(from.code, after)).move(no_target_, target.target);
    step.take(off(from));
    for (const NetCell& cell : cells_)
      step.set(cell.address == target.address ? delayed(target, action.value) : cell.not_delayed);
    add(step.need(closing_.off));
  }

  // What the attacker does goes unnoticed, so it may do it while another thread is in a block.
  void add_attacker_steps(std::uint32_t code, StateId state) {
    const auto count = static_cast<std::uint32_t>(actions(code, state).size());
    for (std::uint32_t index = 0; index < count; ++index) {
      const Action action = actions(code, state)[index];
      if (drains(action)) continue;
      if (is_local(action)) add_attacker_step(Step(), code, state, index, 0);
      if (action.kind == ActionKind::kLoad) add_attacker_loads(action, code, state, index);
      if (action.kind == ActionKind::kStore && in_range(action.address, action.value))
        add_attacker_step(Step().set(delayed(cell_at(action.address), action.value)), code, state, index, 0);
    }
  }

  void add_attacker_step(Step step, std::uint32_t code, StateId state, std::uint32_t index, Value value) {
    const StateId after = automaton(code).successor(state, index, value);
    if (!may_go_on(code, after) || !passable(code, state, index, value, 0)) return;
    add(step.move(attacker(code, state), attacker(code, after)));
  }

  void add_attacker_loads(const Action& action, std::uint32_t code, StateId state, std::uint32_t index) {
    const NetCell& cell = cell_at(action.address);
    const bool may_end = !graph_.fenced(program_.edge(action.edge).source) && cell.written;
    for (std::size_t v = 0; v < cell.values.size(); ++v) {
      const Value value = returned(action, cell.values[v]);
      if (!can_return(action, value)) continue;
      const Step load = Step().need(nobody_inside_);
      add_attacker_step(Step(load).need(cell.holds[v]).need(cell.not_delayed), code, state, index, value);
      if (!cell.delayed.empty() && cell.delayed[v])
        add_attacker_step(Step(load).need(cell.delayed[v]), code, state, index, value);
      if (may_end && action.waits)
        add_attack_load(cell, attacker(code, state), Step(load).need(cell.holds[v]));
    }
    if (may_end && !action.waits) add_attack_load(cell, attacker(code, state), Step().need(nobody_inside_));
  }

  // The path begins. It was empty before, and so was the trial; setting them helps the search.
  void add_attack_load(const NetCell& loaded, PlaceId from, Step step) {
    step.move(from, attack_done_).move(closing_.off, closing_.on).need(loaded.not_delayed);
    for (const NetCell& cell : cells_) {
      step.set(cell.address == loaded.address ? cell.accessed.on : cell.accessed.off);
      step.set(cell.stored.off);
    }
    step.set(on_path_.off);
    if (sections_) step = forget_trial(std::move(step));
    add(step);
  }

  bool may_go_on(std::uint32_t code, StateId state) {
    const LocationId at = automaton(code).innermost_location(state);
    return at && graph_.leads_to_load(at);
  }

  // Does no fence of the options stand before one of the instructions, of which some are skipped?
  bool passable(std::uint32_t code, StateId state, std::uint32_t index, Value value, std::size_t skipped) {
    if (options_.fences.empty()) return true;
    const std::vector<PathStep> path = automaton(code).path(state, index, value);
    return std::all_of(path.begin() + static_cast<std::ptrdiff_t>(skipped), path.end(),
                       [&](const PathStep& step) { return !graph_.fenced(program_.edge(step.edge).source); });
  }

  void add_successes() {
    for (const NetCell& cell : cells_) {
      if (!cell.target) continue;
      Step step = Step().need(closing_.on).need(cell.target).need(cell.accessed.on).need(on_path_.on);
      add(step.need(nobody_inside_).put(success_));
    }
  }

  // Looking up.

  ThreadAutomaton& automaton(std::uint32_t code) const { return *closure_.threads()[code].automaton; }
  std::span<const Action> actions(std::uint32_t code, StateId state) const {
    return automaton(code).actions(state);
  }
  bool drains(const Action& action) const {
    return waits_for_empty_buffer(program_.edge(action.edge).instruction);
  }

  NetCell& cell_at(Value address) { return cells_[cell_numbers_.at(address)]; }
  static std::size_t number_of(const NetCell& cell, Value value) {
    const auto found = std::ranges::lower_bound(cell.values, value);
    WEIR_CHECK(found != cell.values.end() && *found == value, "a closure contains what is stored");
    return static_cast<std::size_t>(found - cell.values.begin());
  }
  static PlaceId holds(const NetCell& cell, Value value) { return cell.holds[number_of(cell, value)]; }
  static PlaceId delayed(const NetCell& cell, Value value) { return cell.delayed[number_of(cell, value)]; }

  bool in_range(Value address, Value value) {
    const bool inside = std::ranges::all_of(options_.values.ranges, [&](const ValueRange& range) {
      return range.address != address || (range.low <= value && value <= range.high);
    });
    result_.left_range |= !inside;
    return inside;
  }

  template <class T>
  static T take_last(std::vector<T>& list) {
    const T last = list.back();
    list.pop_back();
    return last;
  }

  const Program& program_;
  const ValueClosure& closure_;
  const RobustOptions& options_;
  const DelayGraph graph_;
  std::vector<absl::flat_hash_set<EdgeId>> wanted_;  // per code: stores with a possible attack
  AttackNet result_;

  std::vector<NetCell> cells_;
  absl::flat_hash_map<Value, std::size_t> cell_numbers_;
  bool sections_ = false;  // are there any?

  Switch closing_;  // the attack's load was executed
  Switch on_path_;  // somebody is on the path
  Switch joined_;   // the last section that began on trial is on the path
  PlaceId no_attacker_, attack_done_, no_target_, success_;
  PlaceId nobody_inside_;  // none if there are no sections
  std::vector<PlaceId> attacker_places_, target_places_, inside_places_;

  absl::flat_hash_map<Post, std::pair<PlaceId, PlaceId>> places_of_;  // off and on the path
  absl::flat_hash_map<std::pair<std::uint32_t, StateId>, PlaceId> attacker_at_;
  std::vector<Post> open_posts_;
  std::vector<std::pair<std::uint32_t, StateId>> open_attackers_;
};

}  // namespace

AttackNet build_attack_net(const Program& program, const ValueClosure& closure, const RobustOptions& options,
                           const std::vector<Attack>& attacks, const std::vector<bool>& possible) {
  WEIR_CHECK(closure.closed(), "a net has finitely many places");
  return NetBuilder(program, closure, options).build(attacks, possible);
}

std::vector<AutomatonOptions> attack_net_automata(const Program& program, const RobustOptions& options) {
  return std::vector<AutomatonOptions>(program.threads.size(), {.local_steps = options.local_steps});
}

}  // namespace weir
