#include "engine/array/predecessors.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.hpp"
#include "engine/array/grounding.hpp"
#include "engine/array/theory/forgetting.hpp"
#include "engine/array/weak_use.hpp"

namespace weir::array {

namespace {

// Variables of a formula that stand for witnesses, by number of the variable and of the witness.
using Bindings = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Witness {
  std::vector<Process> others;
  Bindings bindings;  // what variables in `others` mean
};

struct GuardPart {
  const Formula* formula;
  Bindings bindings;
};

// A guard whose outermost existential quantifiers have become further processes to choose: its witnesses.
struct Guard {
  std::vector<Witness> witnesses;
  std::vector<GuardPart> parts;
};

bool has_exists(const Formula& formula) {
  if (formula.kind == FormulaKind::kExists) return true;
  return std::any_of(formula.operands.begin(), formula.operands.end(), has_exists);
}

// All the ways to make the formula true together with what `guard` already demands.
std::vector<Guard> hoist(const Formula& formula, const Guard& guard, const Bindings& bindings) {
  if (has_exists(formula) && formula.kind == FormulaKind::kExists) {
    Guard next = guard;
    Bindings inner = bindings;
    inner.emplace_back(formula.bound, static_cast<std::uint32_t>(guard.witnesses.size()));
    next.witnesses.push_back({formula.others, bindings});
    return hoist(formula.operands[0], next, inner);
  }
  if (has_exists(formula) && formula.kind == FormulaKind::kOr) {
    std::vector<Guard> guards;
    for (const Formula& operand : formula.operands)
      for (Guard& one : hoist(operand, guard, bindings)) guards.push_back(std::move(one));
    return guards;
  }
  if (has_exists(formula) && formula.kind == FormulaKind::kAnd) {
    std::vector<Guard> guards{guard};
    for (const Formula& operand : formula.operands) {
      std::vector<Guard> joined;
      for (const Guard& left : guards)
        for (Guard& one : hoist(operand, left, bindings)) joined.push_back(std::move(one));
      guards = std::move(joined);
    }
    return guards;
  }
  Guard next = guard;
  next.parts.push_back({&formula, bindings});
  return {next};
}

// The environment in which bound variables stand for the witnesses, which follow the parameters in `chosen`.
Environment bound_to(const Environment& chosen, std::size_t parameters, const Bindings& bindings) {
  Environment environment(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(parameters));
  for (const auto& [bound, witness] : bindings) {
    if (environment.size() <= bound) environment.resize(bound + 1);
    environment[bound] = chosen[parameters + witness];
  }
  return environment;
}

std::uint64_t symbol_bit(SymbolId symbol) { return std::uint64_t{1} << (symbol.index() & 63); }

// The facts with one alternative of every choice, if these can hold together.
std::optional<Facts> satisfiable_with(Facts facts, std::vector<std::vector<Conjunction>> choices) {
  const auto settled = [&](const Conjunction& one) {
    return std::all_of(one.constraints.begin(), one.constraints.end(),
                       [&](const Constraint& part) { return facts.entails(part); });
  };
  const auto refuted = [&](const Conjunction& one) {
    return std::any_of(one.constraints.begin(), one.constraints.end(),
                       [&](const Constraint& part) { return facts.refutes(part); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      std::vector<Conjunction>& choice = choices[i];
      const bool done = std::any_of(choice.begin(), choice.end(), settled);
      if (!done) std::erase_if(choice, refuted);
      if (choice.empty()) return std::nullopt;
      if (!done && choice.size() > 1) continue;
      if (!done && !facts.assume_all(choice[0].constraints)) return std::nullopt;
      changed = changed || !done;
      if (i + 1 != choices.size()) choice = std::move(choices.back());
      choices.pop_back();
      --i;
    }
  }
  if (choices.empty()) return facts.satisfiable() ? std::optional(std::move(facts)) : std::nullopt;
  const auto smallest = std::min_element(choices.begin(), choices.end(),
                                         [](const auto& x, const auto& y) { return x.size() < y.size(); });
  const std::vector<Conjunction> choice = std::move(*smallest);
  choices.erase(smallest);
  for (const Conjunction& one : choice) {
    Facts more = facts;
    if (!more.assume_all(one.constraints)) continue;
    if (auto found = satisfiable_with(std::move(more), choices)) return found;
  }
  return std::nullopt;
}

// The symbols, modulo 64, whose cells a region speaks of, reads included.
std::uint64_t symbols_of(const Region& region, const Vocabulary& vocabulary) {
  std::uint64_t set = 0;
  for (const Constraint& one : region.constraints)
    vocabulary.each_part(one, [&](Node node) { set |= symbol_bit(node.symbol()); });
  return set;
}

}  // namespace

struct Predecessors::Compiled {
  const Transition* transition = nullptr;
  std::uint32_t index = 0;
  std::vector<Guard> guards;
  std::uint64_t updated = 0;  // symbols
  bool weak_writes = false;
  bool weak_reads = false;
};

// One instance of a transition met by one region.
class Predecessors::Step {
 public:
  // `chosen`: the processes of the parameters, then those of the guard's witnesses.
  Step(const Vocabulary& vocabulary, const Compiled& compiled, const Region& region, const Guard& guard,
       const Environment& chosen, std::uint32_t processes, const std::function<void(Predecessor&&)>& found)
      : vocabulary_(vocabulary),
        system_(vocabulary.system()),
        compiled_(compiled),
        region_(region),
        guard_(guard),
        chosen_(chosen),
        environment_(bound_to(chosen, compiled.transition->parameters.size(), {})),
        processes_(processes),
        found_(found),
        performer_(compiled.transition->performer ? environment_[*compiled.transition->performer]
                                                  : std::uint8_t{0}),
        grounding_(vocabulary, processes, performer_,
                   [this](Node cell, std::uint8_t viewer) { return read(cell, viewer); }) {}

  bool run() {
    collect_affected();
    if (affected_.empty() && written_.empty()) return true;
    expand_affected(0, {});
    return !overflow_;
  }

 private:
  // What becomes of a cell or read: its value before the transition.
  struct Replacement {
    Node node;
    bool any = false;
    Node same_as;  // if any: another node that gets the same value, or zero
    GroundTerm term;
  };
  struct Affected {
    Node node;  // an ordinary cell the region speaks of
    const Update* update;
    Environment environment;
  };
  struct Written {
    Node cell;  // a weak cell that the transition may write
    const Update* update;
    Environment environment;
    std::vector<std::uint32_t> reads;  // the open reads of it
  };
  // A value that a weak cell gets, in the case that was chosen.
  struct Store {
    const Written* written;
    Replacement value;
  };

  Node read(Node cell, std::uint8_t viewer) {
    for (std::size_t i = 0; i < new_reads_.size(); ++i)
      if (new_reads_[i].cell == cell && new_reads_[i].process == viewer) return value_of(i, cell);
    if (region_.reads.size() + new_reads_.size() + 1 >= kMostReads) {
      overflow_ = true;
      return Node::value_of_read(cell.symbol(), 0);
    }
    new_reads_.push_back({cell, viewer, 0});
    return value_of(new_reads_.size() - 1, cell);
  }
  Node value_of(std::size_t index, Node cell) const {
    return Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(region_.reads.size() + index));
  }

  // The environment in which the update speaks of the cell, if it does.
  std::optional<Environment> reaches(const Update& update, Node cell) const {
    if (update.symbol != cell.symbol()) return std::nullopt;
    Environment environment = environment_;
    for (std::uint32_t place = 0; place < cell.dimensions(); ++place) {
      const auto process = static_cast<std::uint8_t>(cell.process(place));
      if (update.everywhere) {
        if (environment.size() <= update.bound[place]) environment.resize(update.bound[place] + 1);
        environment[update.bound[place]] = process;
      } else if (grounding_.process(update.arguments[place], environment_) != process) {
        return std::nullopt;
      }
    }
    return environment;
  }

  void collect_affected() {
    absl::InlinedVector<Node, 16> seen;
    const auto consider = [&](Node node) {
      if (!node.is_cell() || std::find(seen.begin(), seen.end(), node) != seen.end()) return;
      seen.push_back(node);
      for (const Update& update : compiled_.transition->updates)
        if (auto environment = reaches(update, node))
          affected_.push_back({node, &update, std::move(*environment)});
    };
    for (const Constraint& one : region_.constraints) vocabulary_.each_part(one, consider);
    if (!compiled_.weak_writes) return;
    for (std::uint32_t r = 0; r < region_.reads.size(); ++r) {
      const Node cell = region_.reads[r].cell;
      const auto same = std::find_if(written_.begin(), written_.end(),
                                     [&](const Written& one) { return one.cell == cell; });
      if (same != written_.end()) {
        same->reads.push_back(r);
        continue;
      }
      for (const Update& update : compiled_.transition->updates)
        if (auto environment = reaches(update, cell))
          written_.push_back({cell, &update, std::move(*environment), {r}});
    }
  }

  void expand_guard(std::size_t part, const Conjunction& conjunction) {
    if (overflow_) return;
    if (part == guard_.parts.size()) {
      expand_written(0, conjunction);
      return;
    }
    const GuardPart& here = guard_.parts[part];
    grounding_.expand(*here.formula, true,
                      bound_to(chosen_, compiled_.transition->parameters.size(), here.bindings), conjunction,
                      [&](const Conjunction& next) { expand_guard(part + 1, next); });
  }

  // Chooses the case of an update and calls `next` with the cell's value and the joined guard; for a cell
  // that keeps its value the replacement is itself.
  template <class Next>
  void each_case(const Update& update, const Environment& environment, Node cell,
                 const Conjunction& conjunction, std::size_t first, const Next& next) {
    if (first == update.cases.size()) return;
    const UpdateCase& one = update.cases[first];
    grounding_.expand(one.guard, true, environment, conjunction, [&](const Conjunction& taken) {
      Replacement replacement{cell, !one.value, Node(), {}};
      bool kept = false;
      if (keeps_cell(update, one)) {
        kept = true;
        replacement.term = {.kind = GroundTerm::Kind::kNode, .node = cell};
      } else if (one.value) {
        replacement.term = grounding_.term(*one.value, environment);
      }
      next(taken, replacement, kept);
    });
    if (first + 1 == update.cases.size() || one.guard.kind == FormulaKind::kTrue) return;
    grounding_.expand(one.guard, false, environment, conjunction, [&](const Conjunction& skipped) {
      each_case(update, environment, cell, skipped, first + 1, next);
    });
  }

  void expand_affected(std::size_t next, const Conjunction& conjunction) {
    if (overflow_) return;
    if (next == affected_.size()) {
      expand_guard(0, conjunction);
      return;
    }
    const Affected& one = affected_[next];
    each_case(*one.update, one.environment, one.node, conjunction, 0,
              [&](const Conjunction& joined, const Replacement& replacement, bool kept) {
                if (!allowed(replacement)) return;
                if (!kept) replacements_.push_back(replacement);
                expand_affected(next + 1, joined);
                if (!kept) replacements_.pop_back();
              });
  }

  // Whether the region lets the cell have the value, as far as is seen at once.
  bool allowed(const Replacement& replacement) const {
    if (replacement.term.kind != GroundTerm::Kind::kValue) return true;
    return std::none_of(region_.constraints.begin(), region_.constraints.end(), [&](const Constraint& one) {
      return one.kind == ConstraintKind::kIn && one.a == replacement.node &&
             (one.mask() & replacement.term.bit) == 0;
    });
  }

  void expand_written(std::size_t next, const Conjunction& conjunction) {
    if (overflow_) return;
    if (next == written_.size()) {
      choose_sources(0, 0, conjunction);
      return;
    }
    const Written& one = written_[next];
    each_case(*one.update, one.environment, one.cell, conjunction, 0,
              [&](const Conjunction& joined, const Replacement& replacement, bool kept) {
                if (!kept) stores_.push_back({&one, replacement});
                expand_written(next + 1, joined);
                if (!kept) stores_.pop_back();
              });
  }

  // Which open reads of the written cells take their value from this transition. The process's own must.
  void choose_sources(std::size_t store, std::size_t read, const Conjunction& conjunction) {
    if (store == stores_.size()) {
      if (!replacements_.empty() || satisfied_ != 0) finish(conjunction);
      return;
    }
    const Written& written = *stores_[store].written;
    if (read == written.reads.size()) {
      choose_sources(store + 1, 0, conjunction);
      return;
    }
    const std::uint32_t number = written.reads[read];
    const std::uint32_t before = satisfied_;
    Replacement replacement = stores_[store].value;
    replacement.node = Node::value_of_read(written.cell.symbol(), number);
    for (std::size_t i = 0; i < read && replacement.any; ++i)
      if (((before >> written.reads[i]) & 1) != 0)
        replacement.same_as = Node::value_of_read(written.cell.symbol(), written.reads[i]);
    if (allowed(replacement)) {
      satisfied_ = before | 1u << number;
      replacements_.push_back(replacement);
      choose_sources(store, read + 1, conjunction);
      replacements_.pop_back();
      satisfied_ = before;
    }
    if (region_.reads[number].process != performer_) choose_sources(store, read + 1, conjunction);
  }

  // The order of events after this transition is put before the others; false if it has a cycle.
  bool order_events(Region& result, bool fence) {
    const auto group = static_cast<std::uint8_t>(result.after.size());
    const bool atomic = compiled_.weak_reads && compiled_.weak_writes;
    const bool reads = !new_reads_.empty();
    if (group >= 31) {
      overflow_ = true;
      return false;
    }
    const Groups everyone = result.anchored(AnchorKind::kEveryone, 0);
    Groups node = 0;  // what this transition's event comes before
    if (reads || atomic) {
      node |= result.anchored(AnchorKind::kEvents, performer_) | everyone;
      for (const Read& read : new_reads_) node |= result.anchored(AnchorKind::kCell, 0, read.cell);
    }
    if (compiled_.weak_writes) {
      Groups write =
          result.anchored(AnchorKind::kWrites, performer_) | result.anchored(AnchorKind::kFenced, performer_);
      for (const Node cell : cells_written()) write |= result.anchored(AnchorKind::kCell, 0, cell);
      for (std::uint32_t r = 0; r < region_.reads.size(); ++r) {
        const Read& read = region_.reads[r];
        if (((satisfied_ >> r) & 1) != 0 && read.process != performer_)
          write |= Groups{1} << read.group | result.after[read.group];
      }
      node |= write;
    }
    Groups refused = 0;  // open reads of these groups are not satisfied by the write: they come before it
    for (const Store& store : stores_)
      for (const std::uint32_t r : store.written->reads)
        if (((satisfied_ >> r) & 1) == 0) refused |= Groups{1} << region_.reads[r].group;
    if ((node & refused) != 0) return false;
    result.after.push_back(node);
    const Groups self = reads ? node | Groups{1} << group : node;
    for (Groups& after : result.after) {
      const bool before = (after & refused) != 0;
      if (before) after |= self;
    }
    for (Groups rest = refused; rest != 0; rest &= rest - 1)
      result.after[static_cast<std::size_t>(std::countr_zero(rest))] |= self;
    for (Anchor& anchor : result.anchors)
      if ((anchor.groups & refused) != 0) anchor.groups |= self;
    for (Read read : new_reads_) {
      read.group = group;
      result.reads.push_back(read);
    }
    const bool touches = reads || compiled_.weak_writes || atomic;
    if (touches) result.anchor(AnchorKind::kEvents, performer_, Node(), self);
    if (compiled_.weak_writes) {
      result.anchor(AnchorKind::kWrites, performer_, Node(), self);
      for (const Node cell : cells_written()) result.anchor(AnchorKind::kCell, 0, cell, self);
    }
    if (fence || atomic)
      result.anchor(AnchorKind::kFenced, performer_, Node(),
                    result.anchored(AnchorKind::kEvents, performer_) | everyone);
    return true;
  }

  // The weak cells known to be written: those of stores chosen, and single cells that no open read is about.
  std::vector<Node> cells_written() const {
    std::vector<Node> cells;
    for (const Store& store : stores_) cells.push_back(store.written->cell);
    for (const Update& update : compiled_.transition->updates) {
      if (!system_.symbol(update.symbol).weak || update.everywhere || update.cases.size() != 1) continue;
      const Node cell = grounding_.cell({update.symbol, update.arguments, std::nullopt}, environment_);
      if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
    }
    return cells;
  }

  void finish(const Conjunction& conjunction) {
    Predecessor result;
    result.approximate = conjunction.approximate;
    Region& region = result.region;
    region.processes = processes_;
    region.reads = region_.reads;
    region.after = region_.after;
    region.anchors = region_.anchors;
    if ((compiled_.weak_reads || compiled_.weak_writes || conjunction.fence) &&
        !order_events(region, conjunction.fence))
      return;
    std::vector<Constraint> constraints = region_.constraints;
    for (const Replacement& one : replacements_)
      if (!one.same_as.is_zero()) constraints.push_back({ConstraintKind::kEqual, one.node, one.same_as, 0});
    emit(result, conjunction, constraints);
  }

  const Replacement* replacement_of(Node node) const {
    for (const Replacement& one : replacements_)
      if (one.node == node) return &one;
    return nullptr;
  }

  // Removes the cells that become anything from the region's constraints, and puts the others' terms in.
  void emit(const Predecessor& result, const Conjunction& conjunction,
            const std::vector<Constraint>& constraints) {
    std::vector<Node> anything;
    for (const Replacement& one : replacements_)
      if (one.any) anything.push_back(one.node);
    forget_all(constraints, anything, processes_, vocabulary_,
               [&](const std::vector<Constraint>& rest, bool exact) {
                 Predecessor here = result;
                 here.approximate = here.approximate || !exact;
                 substitute(std::move(here), conjunction, rest);
               });
  }

  GroundTerm before(Node node) const {
    const Replacement* replacement = replacement_of(node);
    if (replacement != nullptr) return replacement->term;
    return {.kind = GroundTerm::Kind::kNode, .node = node};
  }

  void substitute(Predecessor result, const Conjunction& conjunction,
                  const std::vector<Constraint>& constraints) {
    Facts facts(vocabulary_);
    Conjunction all;
    if (!grounding_.replaced_all(
            constraints, [&](Node node) { return before(node); }, all))
      return;
    result.approximate = result.approximate || all.approximate;
    if (!facts.assume_all(all.constraints) || !facts.assume_all(conjunction.constraints)) return;
    result.transition = compiled_.index;
    result.parameters.assign(
        environment_.begin(),
        environment_.begin() + static_cast<std::ptrdiff_t>(compiled_.transition->parameters.size()));
    result.went = settle(result.region, facts);
    found_(std::move(result));
  }

  const Vocabulary& vocabulary_;
  const ArraySystem& system_;
  const Compiled& compiled_;
  const Region& region_;
  const Guard& guard_;
  const Environment& chosen_;
  Environment environment_;
  std::uint32_t processes_;
  const std::function<void(Predecessor&&)>& found_;
  std::uint8_t performer_;
  Grounding grounding_;
  std::vector<Read> new_reads_;
  std::vector<Affected> affected_;
  std::vector<Written> written_;
  std::vector<Replacement> replacements_;
  std::vector<Store> stores_;
  std::uint32_t satisfied_ = 0;
  bool overflow_ = false;
};

Predecessors::Predecessors(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  const ArraySystem& system = vocabulary.system();
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& transition = system.transitions[i];
    const WeakUse use = weak_use(transition, system);
    Compiled compiled{&transition, i, hoist(transition.guard, {}, {}), 0, use.writes, use.reads};
    for (const Update& update : transition.updates) compiled.updated |= symbol_bit(update.symbol);
    transitions_.push_back(std::move(compiled));
  }
}

Predecessors::~Predecessors() = default;

namespace {

// All ways to give different processes to the first `parameters` variables and processes to the witnesses:
// those of the region, or new ones, as far as there are so many.
class Assignments {
 public:
  using Found = std::function<bool(const Environment&, std::uint32_t processes)>;

  Assignments(const Transition& transition, const Guard& guard, std::uint32_t processes, std::uint32_t most,
              const Found& found)
      : guard_(guard),
        parameters_(transition.parameters.size()),
        most_(most),
        found_(found),
        environment_(parameters_ + guard.witnesses.size()) {
    assign(0, processes);
  }
  bool complete() const { return complete_; }

 private:
  void assign(std::size_t parameter, std::uint32_t processes) {
    if (!complete_) return;
    if (parameter == parameters_) return choose_witness(0, processes);
    for (std::uint32_t p = 0; p <= processes; ++p) {
      const auto used = environment_.begin() + static_cast<std::ptrdiff_t>(parameter);
      if (p >= most_ || std::find(environment_.begin(), used, p) != used) continue;
      if (p == processes && processes + 1 >= kMostProcesses) {
        complete_ = false;
        return;
      }
      environment_[parameter] = static_cast<std::uint8_t>(p);
      assign(parameter + 1, p == processes ? processes + 1 : processes);
    }
  }

  void choose_witness(std::size_t next, std::uint32_t processes) {
    if (!complete_) return;
    if (next == guard_.witnesses.size()) {
      complete_ = found_(environment_, processes) && complete_;
      return;
    }
    const Witness& witness = guard_.witnesses[next];
    const Environment outer = bound_to(environment_, parameters_, witness.bindings);
    for (std::uint32_t p = 0; p <= processes; ++p) {
      const bool excluded = std::any_of(
          witness.others.begin(), witness.others.end(),
          [&](const Process& other) { return (other.constant ? other.index : outer[other.index]) == p; });
      if (excluded || p >= most_) continue;
      if (p + 1 >= kMostProcesses) {
        complete_ = false;
        return;
      }
      environment_[parameters_ + next] = static_cast<std::uint8_t>(p);
      choose_witness(next + 1, p == processes ? processes + 1 : processes);
    }
  }

  const Guard& guard_;
  std::size_t parameters_;
  std::uint32_t most_;
  const Found& found_;
  Environment environment_;
  bool complete_ = true;
};

}  // namespace

bool Predecessors::each(const Region& region, const std::function<void(Predecessor&&)>& found) const {
  const std::uint64_t symbols = symbols_of(region, vocabulary_);
  bool complete = true;
  for (const Compiled& compiled : transitions_) {
    if ((compiled.updated & symbols) == 0) continue;
    for (const Guard& guard : compiled.guards) {
      const Assignments::Found one = [&](const Environment& environment, std::uint32_t processes) {
        return Step(vocabulary_, compiled, region, guard, environment, processes, found).run();
      };
      complete = Assignments(*compiled.transition, guard, region.processes, vocabulary_.most_processes(), one)
                     .complete() &&
                 complete;
    }
  }
  return complete;
}

std::vector<Region> Predecessors::of_cube(const Cube& cube) const {
  std::vector<Region> regions;
  Region draft;
  draft.processes = static_cast<std::uint32_t>(cube.parameters.size()) + vocabulary_.pinned();
  const auto read = [&](Node cell, std::uint8_t viewer) {
    for (std::size_t i = 0; i < draft.reads.size(); ++i)
      if (draft.reads[i].cell == cell && draft.reads[i].process == viewer)
        return Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(i));
    WEIR_CHECK(draft.reads.size() < kMostReads, "an unsafe cube with too many views");
    draft.reads.push_back({cell, viewer, 0});
    return Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(draft.reads.size() - 1));
  };
  Formula all;
  all.kind = FormulaKind::kAnd;
  all.operands = cube.literals;
  // Parameters may be constant processes, too.
  const Guard none;
  Transition shape;
  shape.parameters = cube.parameters;
  const Assignments::Found one = [&](const Environment& environment, std::uint32_t processes) {
    draft.reads.clear();
    Grounding(vocabulary_, processes, 0, read)
        .expand(all, true, environment, {}, [&](const Conjunction& conjunction) {
          Facts facts(vocabulary_);
          if (!facts.assume_all(conjunction.constraints)) return;
          Region region = draft;
          region.processes = processes;
          if (!region.reads.empty()) {
            region.after.assign(1, 0);
            region.anchor(AnchorKind::kEveryone, 0, Node(), 1);
          }
          settle(region, facts);
          if (std::find(regions.begin(), regions.end(), region) == regions.end())
            regions.push_back(std::move(region));
        });
    return true;
  };
  Assignments(shape, none, vocabulary_.pinned(), vocabulary_.most_processes(), one);
  return regions;
}

std::optional<Facts> Predecessors::initial_states(const Region& region) const {
  const ArraySystem& system = vocabulary_.system();
  const std::uint32_t parameters = static_cast<std::uint32_t>(system.initial.parameters.size());
  const std::uint32_t processes = std::max(region.processes, parameters);
  Facts facts(vocabulary_);
  if (!facts.assume_all(region.constraints)) return std::nullopt;
  for (std::size_t i = 0; i < region.reads.size(); ++i) {
    const Node cell = region.reads[i].cell;
    const Node value = Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(i));
    if (!facts.assume({ConstraintKind::kEqual, value, cell, 0})) return std::nullopt;
  }
  const Grounding grounding(vocabulary_, processes, 0, [](Node cell, std::uint8_t) { return cell; });
  std::vector<std::vector<Conjunction>> open;
  for (const Environment& chosen : distinct_choices(parameters, processes)) {
    Clauses clauses = grounding.clauses(system.initial.formula, chosen);
    if (clauses.impossible || !facts.assume_all(clauses.always.constraints)) return std::nullopt;
    for (auto& choice : clauses.choices) open.push_back(std::move(choice));
  }
  return satisfiable_with(std::move(facts), std::move(open));
}

}  // namespace weir::array
