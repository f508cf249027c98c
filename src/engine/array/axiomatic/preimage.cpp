#include "engine/array/axiomatic/preimage.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "engine/array/theory/forgetting.hpp"

namespace weir::array {

namespace {

// Whether the truth of the formula can differ between two processes for the variable that are equal to none
// of those named.
bool tells_others_apart(const Formula& formula, std::uint32_t variable) {
  const auto is_it = [&](const Process& process) { return !process.constant && process.index == variable; };
  const auto at_it = [&](const Access& access) {
    return std::any_of(access.arguments.begin(), access.arguments.end(), is_it);
  };
  const auto accesses_it = [&](const Term& term) {
    return (term.kind == TermKind::kAccess && at_it(term.access)) ||
           std::any_of(term.summands.begin(), term.summands.end(),
                       [&](const Summand& one) { return at_it(one.access); });
  };
  const auto names_it = [&](const Term& term) {
    return term.kind == TermKind::kProcess && is_it(term.process);
  };
  const auto accesses = [](const Term& term) { return term.kind == TermKind::kAccess; };
  const std::vector<Term>& terms = formula.terms;
  if (std::any_of(terms.begin(), terms.end(), accesses_it)) return true;
  if (std::any_of(terms.begin(), terms.end(), names_it) && std::any_of(terms.begin(), terms.end(), accesses))
    return true;
  return std::any_of(formula.operands.begin(), formula.operands.end(),
                     [&](const Formula& operand) { return tells_others_apart(operand, variable); });
}

// One transition for given processes, before one cube.
class Firing {
 public:
  using Found = std::function<bool(EventPredecessor&&)>;

  Firing(const Vocabulary& vocabulary, const Move& move, const EventCube& cube,
         const Environment& environment, std::uint32_t processes, const Found& found)
      : vocabulary_(vocabulary),
        system_(vocabulary.system()),
        move_(move),
        updates_(move.transition->updates),
        cube_(cube),
        environment_(environment),
        performer_(move.transition->performer ? environment[*move.transition->performer] : std::uint8_t{0}),
        found_(found),
        grounding_(vocabulary, processes, performer_,
                   [this](Node cell, std::uint8_t) { return read(cell); }) {
    name_processes(cube_, processes, system_);
  }

  // False: there were too many reads or events, or `found` wants no more.
  bool run() {
    if (cube_.events.size() + 2 > kMostEvents) return false;
    collect_ordinary();
    collect_weak();
    choose_ordinary(0, {});
    return !over_;
  }

 private:
  // What a cell becomes.
  struct Outcome {
    bool kept = false;
    bool any = false;
    GroundTerm term;  // otherwise
  };
  // A cell that an update speaks of.
  struct Target {
    Node cell;
    const Update* update;
    Environment environment;
    std::vector<std::uint32_t> waiting;  // a weak cell: the reads that wait for a write of it
  };
  struct Replacement {
    Node node;  // an ordinary cell, or the value of a read that takes the write
    Outcome outcome;
  };
  struct Link {
    std::uint32_t read;
    Node cell;
  };

  Node read(Node cell) {
    std::size_t number = 0;
    while (number < reads_.size() && reads_[number] != cell) ++number;
    const std::size_t slot = cube_.waiting.size() + number;
    if (slot >= kMostReads) {
      over_ = true;
      return Node::value_of_read(cell.symbol(), 0);
    }
    if (number == reads_.size()) reads_.push_back(cell);
    return Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(slot));
  }

  // The environment in which the update speaks of the cell, if it does.
  std::optional<Environment> speaks_of(const Update& update, Node cell) const {
    if (update.symbol != cell.symbol()) return std::nullopt;
    Environment inside = environment_;
    for (std::uint32_t place = 0; place < cell.dimensions(); ++place) {
      const auto process = static_cast<std::uint8_t>(cell.process(place));
      if (update.everywhere)
        inside[update.bound[place]] = process;
      else if (grounding_.process(update.arguments[place], environment_) != process)
        return std::nullopt;
    }
    return inside;
  }

  void collect_ordinary() {
    std::vector<Node> seen;
    const auto consider = [&](Node node) {
      if (!node.is_cell() || std::find(seen.begin(), seen.end(), node) != seen.end()) return;
      seen.push_back(node);
      for (const Update& update : updates_)
        if (auto inside = speaks_of(update, node))
          ordinary_.push_back({node, &update, std::move(*inside), {}});
    };
    for (const Constraint& one : cube_.constraints) vocabulary_.each_part(one, consider);
  }

  void collect_weak() {
    for (const Update& update : updates_) {
      if (!system_.symbol(update.symbol).weak) continue;
      for (const Node cell : cells_of(update.symbol, cube_.processes, system_)) {
        auto inside = speaks_of(update, cell);
        if (!inside) continue;
        Target target{cell, &update, std::move(*inside), {}};
        for (std::uint32_t number = 0; number < cube_.waiting.size(); ++number)
          if (cube_.waiting[number].cell == cell) target.waiting.push_back(number);
        weak_.push_back(std::move(target));
      }
      if (update.everywhere) elsewhere_.push_back(&update);
    }
  }

  // Calls next(conjunction, case) for every case of the update, with what must hold for it to be the one.
  template <class Next>
  void each_case(const Update& update, const Environment& environment, const Conjunction& conjunction,
                 std::size_t number, const Next& next) {
    const UpdateCase& one = update.cases[number];
    grounding_.expand(one.guard, true, environment, conjunction,
                      [&](const Conjunction& taken) { next(taken, one); });
    if (number + 1 == update.cases.size()) return;
    grounding_.expand(one.guard, false, environment, conjunction, [&](const Conjunction& skipped) {
      each_case(update, environment, skipped, number + 1, next);
    });
  }

  Outcome outcome_of(const Target& target, const UpdateCase& one) const {
    if (keeps_cell(*target.update, one)) return {.kept = true};
    if (!one.value) return {.any = true};
    return {.term = grounding_.term(*one.value, target.environment)};
  }

  void choose_ordinary(std::size_t next, const Conjunction& conjunction) {
    if (over_) return;
    if (next == ordinary_.size()) return choose_weak(0, conjunction);
    const Target& target = ordinary_[next];
    each_case(*target.update, target.environment, conjunction, 0,
              [&](const Conjunction& joined, const UpdateCase& one) {
                const Outcome outcome = outcome_of(target, one);
                if (!outcome.kept) replacements_.push_back({target.cell, outcome});
                choose_ordinary(next + 1, joined);
                if (!outcome.kept) replacements_.pop_back();
              });
  }

  void choose_weak(std::size_t next, const Conjunction& conjunction) {
    if (over_) return;
    if (next == weak_.size()) {
      if (!replacements_.empty()) choose_elsewhere(0, conjunction);
      return;
    }
    const Target& target = weak_[next];
    const auto write = [&](const Conjunction& joined, const Outcome& outcome) {
      written_.push_back(target.cell);
      choose_links(next, 0, outcome, joined);
      written_.pop_back();
    };
    if (target.waiting.empty() && always_writes(*target.update)) return write(conjunction, {});
    each_case(*target.update, target.environment, conjunction, 0,
              [&](const Conjunction& joined, const UpdateCase& one) {
                const Outcome outcome = outcome_of(target, one);
                if (outcome.kept)
                  choose_weak(next + 1, joined);
                else
                  write(joined, outcome);
              });
  }

  static bool always_writes(const Update& update) {
    return std::none_of(update.cases.begin(), update.cases.end(),
                        [&](const UpdateCase& one) { return keeps_cell(update, one); });
  }
  static bool never_writes(const Update& update) {
    return std::all_of(update.cases.begin(), update.cases.end(),
                       [&](const UpdateCase& one) { return keeps_cell(update, one); });
  }

  // extend_rels: each read that waits for the cell takes the write, or another that is still to come.
  void choose_links(std::size_t target, std::size_t number, const Outcome& outcome,
                    const Conjunction& conjunction) {
    const std::vector<std::uint32_t>& waiting = weak_[target].waiting;
    if (number == waiting.size()) return choose_weak(target + 1, conjunction);
    choose_links(target, number + 1, outcome, conjunction);
    const Node cell = weak_[target].cell;
    links_.push_back({waiting[number], cell});
    replacements_.push_back({Node::value_of_read(cell.symbol(), waiting[number]), outcome});
    choose_links(target, number + 1, outcome, conjunction);
    replacements_.pop_back();
    links_.pop_back();
  }

  // What the updates of whole arrays do at processes not named.
  void choose_elsewhere(std::size_t next, const Conjunction& conjunction) {
    if (next == elsewhere_.size()) return expand_guard(conjunction);
    const Update& update = *elsewhere_[next];
    const auto go_on = [&](const Conjunction& joined, bool writes) {
      if (writes) written_elsewhere_.push_back(update.symbol);
      choose_elsewhere(next + 1, joined);
      if (writes) written_elsewhere_.pop_back();
    };
    if (always_writes(update) || never_writes(update)) return go_on(conjunction, always_writes(update));
    const bool apart = update.bound.size() > 1 ||
                       std::any_of(update.cases.begin(), update.cases.end(), [&](const UpdateCase& one) {
                         return tells_others_apart(one.guard, update.bound[0]);
                       });
    if (apart) {
      Conjunction weaker = conjunction;
      weaker.approximate = true;
      return go_on(weaker, false);
    }
    Environment inside = environment_;
    inside[update.bound[0]] = static_cast<std::uint8_t>(cube_.processes);
    each_case(update, inside, conjunction, 0, [&](const Conjunction& joined, const UpdateCase& one) {
      go_on(joined, !keeps_cell(update, one));
    });
  }

  void expand_guard(const Conjunction& conjunction) {
    if (over_) return;
    grounding_.expand(move_.guard, true, environment_, conjunction,
                      [&](const Conjunction& joined) { finish(joined); });
  }

  void finish(const Conjunction& conjunction) {
    if (over_) return;
    EventPredecessor result;
    result.cube = cube_;
    result.approximate = conjunction.approximate;
    add_events(result.cube, conjunction.fence);
    forget_anything(result, conjunction, with_equal_links());
  }

  // The new events go in front of the others.
  void add_events(EventCube& cube, bool fence) const {
    const bool atomic = move_.use.reads && move_.use.writes;
    std::uint8_t instant = 0;
    for (const Event& event : cube.events) instant = std::max<std::uint8_t>(instant, event.instant + 1);
    std::vector<Event> events;
    if (!reads_.empty() || fence || atomic)
      events.push_back({.process = performer_, .instant = instant, .fenced = fence || atomic});
    if (!written_.empty() || !written_elsewhere_.empty()) {
      Event write{.write = true,
                  .process = performer_,
                  .instant = static_cast<std::uint8_t>(instant + (atomic ? 0 : 1))};
      write.cells = written_;
      write.elsewhere = written_elsewhere_;
      std::sort(write.cells.begin(), write.cells.end());
      events.push_back(std::move(write));
    }
    const auto shift = static_cast<std::uint8_t>(events.size());
    for (WaitingRead& waiting : cube.waiting) waiting.event += shift;
    for (ReadFrom& link : cube.from) {
      link.read += shift;
      link.write += shift;
    }
    for (const Link& link : links_)
      cube.from.push_back({link.cell, static_cast<std::uint8_t>(shift - 1), cube.waiting[link.read].event});
    for (const Node cell : reads_) cube.waiting.push_back({cell, 0});
    cube.events.insert(cube.events.begin(), events.begin(), events.end());
  }

  // Reads that take the same value, which may be anything, agree.
  std::vector<Constraint> with_equal_links() const {
    std::vector<Constraint> constraints = cube_.constraints;
    const Link* before = nullptr;
    for (std::size_t number = 0; number < links_.size(); ++number) {
      const Link& link = links_[number];
      if (before != nullptr && before->cell == link.cell && replacement_of(value_of(link))->any)
        constraints.push_back({ConstraintKind::kEqual, value_of(link), value_of(*before), 0});
      before = &link;
    }
    return constraints;
  }

  static Node value_of(const Link& link) { return Node::value_of_read(link.cell.symbol(), link.read); }

  const Outcome* replacement_of(Node node) const {
    for (const Replacement& one : replacements_)
      if (one.node == node) return &one.outcome;
    return nullptr;
  }

  void forget_anything(const EventPredecessor& result, const Conjunction& conjunction,
                       const std::vector<Constraint>& constraints) {
    std::vector<Node> anything;
    for (const Replacement& one : replacements_)
      if (one.outcome.any) anything.push_back(one.node);
    forget_all(constraints, anything, cube_.processes, vocabulary_,
               [&](const std::vector<Constraint>& rest, bool exact) {
                 if (over_) return;
                 EventPredecessor here = result;
                 here.approximate = here.approximate || !exact;
                 substitute(std::move(here), conjunction, rest);
               });
  }

  // The constraints as they read before the transition.
  void substitute(EventPredecessor result, const Conjunction& conjunction,
                  const std::vector<Constraint>& constraints) {
    Facts facts(vocabulary_);
    Conjunction all;
    if (!grounding_.replaced_all(
            constraints, [&](Node node) { return before(node); }, all))
      return;
    result.approximate = result.approximate || all.approximate;
    if (!facts.assume_all(all.constraints) || !facts.assume_all(conjunction.constraints)) return;
    result.transition = move_.index;
    const auto parameters = static_cast<std::ptrdiff_t>(move_.transition->parameters.size());
    result.parameters.assign(environment_.begin(), environment_.begin() + parameters);
    result.went = simplify(result.cube, facts);
    if (!found_(std::move(result))) over_ = true;
  }

  GroundTerm before(Node node) const {
    const Outcome* outcome = replacement_of(node);
    if (outcome != nullptr) return outcome->term;
    return {.kind = GroundTerm::Kind::kNode, .node = node};
  }

  const Vocabulary& vocabulary_;
  const ArraySystem& system_;
  const Move& move_;
  const std::vector<Update>& updates_;
  EventCube cube_;  // the one after the transition, with the new processes named
  Environment environment_;
  std::uint8_t performer_;
  const Found& found_;
  Grounding grounding_;
  std::vector<Node> reads_;  // the cells that the transition reads
  std::vector<Target> ordinary_;
  std::vector<Target> weak_;
  std::vector<const Update*> elsewhere_;
  std::vector<Replacement> replacements_;
  std::vector<Node> written_;
  std::vector<SymbolId> written_elsewhere_;
  std::vector<Link> links_;
  bool over_ = false;
};

}  // namespace

Preimage::Preimage(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary), moves_(moves_of(vocabulary.system())) {}

bool Preimage::each(const EventCube& cube, const std::function<bool(EventPredecessor&&)>& found) const {
  for (const Move& move : moves_) {
    const ProcessesFound one = [&](const Environment& environment, std::uint32_t processes) {
      return Firing(vocabulary_, move, cube, environment, processes, found).run();
    };
    if (!each_choice(move.transition->parameters.size(), move.witnesses, move.variables, cube.processes,
                     vocabulary_.most_processes(), one))
      return false;
  }
  return true;
}

std::vector<EventCube> Preimage::of_cube(const Cube& cube) const {
  std::vector<EventCube> cubes;
  Formula all;
  all.kind = FormulaKind::kAnd;
  all.operands = cube.literals;
  const ProcessesFound one = [&](const Environment& environment, std::uint32_t processes) {
    EventCube draft;
    draft.processes = processes;
    const auto view = [&](Node cell, std::uint8_t viewer) {
      std::size_t event = 0;
      while (event < draft.events.size() && draft.events[event].process != viewer) ++event;
      if (event == draft.events.size()) draft.events.push_back({.process = viewer, .final = true});
      const WaitingRead read{cell, static_cast<std::uint8_t>(event)};
      auto known = std::find(draft.waiting.begin(), draft.waiting.end(), read);
      WEIR_CHECK(known != draft.waiting.end() || draft.waiting.size() < kMostReads, "too many views");
      const auto number = static_cast<std::uint32_t>(known - draft.waiting.begin());
      if (known == draft.waiting.end()) draft.waiting.push_back(read);
      return Node::value_of_read(cell.symbol(), number);
    };
    Grounding(vocabulary_, processes, 0, view)
        .expand(all, true, environment, {}, [&](const Conjunction& conjunction) {
          Facts facts(vocabulary_);
          if (!facts.assume_all(conjunction.constraints)) return;
          EventCube result = draft;
          simplify(result, facts);
          if (std::find(cubes.begin(), cubes.end(), result) == cubes.end())
            cubes.push_back(std::move(result));
        });
    return true;
  };
  const auto parameters = static_cast<std::uint32_t>(cube.parameters.size());
  each_choice(parameters, {}, parameters, vocabulary_.pinned(), vocabulary_.most_processes(), one);
  return cubes;
}

}  // namespace weir::array
