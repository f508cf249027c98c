// The module libweir_z3.so: the questions of the axiomatic search, put to Z3.
#include <algorithm>
#include <z3++.h>

#include "base/error.hpp"
#include "engine/array/axiomatic/solver.hpp"
#include "engine/array/grounding.hpp"

namespace weir::array {

namespace {

constexpr unsigned kMostEffort =
    20'000'000;  // for one question, in Z3's units: some seconds, the same on every machine

struct Session {
  Session(const Vocabulary& words, bool order)
      : vocabulary(words), issue_order(order), solver(z3, z3::solver::simple()) {
    z3::params parameters(z3);
    parameters.set("rlimit", kMostEffort);
    parameters.set("ctrl_c", false);  // signals are the watchdog's
    solver.set(parameters);
  }

  const Vocabulary& vocabulary;
  const bool issue_order;
  z3::context z3;
  z3::solver solver;
};

// One question: a set of assertions.
class Query {
 public:
  explicit Query(Session& session) : session_(session), vocabulary_(session.vocabulary), z3_(session.z3) {
    session_.solver.reset();
  }

  void require(const z3::expr& condition) { session_.solver.add(condition); }
  SolverAnswer satisfiable() {
    for (const Node node : nodes_) require(in_its_sort(node));
    switch (session_.solver.check()) {
      case z3::sat: return SolverAnswer::kYes;
      case z3::unsat: return SolverAnswer::kNo;
      case z3::unknown: break;
    }
    return SolverAnswer::kUnknown;
  }

  // Values. A process is its number, and those not named have higher ones; a constructor is its number; reals
  // are multiplied by the scale of the vocabulary.

  z3::expr conjunction(const std::vector<Constraint>& constraints, std::uint32_t processes) {
    z3::expr_vector all(z3_);
    for (const Constraint& one : constraints) all.push_back(constraint(one, processes));
    return z3::mk_and(all);
  }

  // The formula, with weak cells standing for what is in memory. Quantifiers range over the processes given;
  // that another process makes an existential one true is always possible.
  z3::expr formula(const Formula& formula, bool positive, const Grounding& grounding,
                   const Environment& environment, std::uint32_t processes) {
    switch (formula.kind) {
      case FormulaKind::kTrue:
      case FormulaKind::kFence: return z3_.bool_val(positive);
      case FormulaKind::kFalse: return z3_.bool_val(!positive);
      case FormulaKind::kNot:
        return this->formula(formula.operands[0], !positive, grounding, environment, processes);
      case FormulaKind::kCompare: {
        const z3::expr holds = compare(formula, grounding, environment);
        return positive ? holds : !holds;
      }
      case FormulaKind::kAnd:
      case FormulaKind::kOr: {
        z3::expr_vector parts(z3_);
        for (const Formula& operand : formula.operands)
          parts.push_back(this->formula(operand, positive, grounding, environment, processes));
        return (formula.kind == FormulaKind::kAnd) == positive ? z3::mk_and(parts) : z3::mk_or(parts);
      }
      case FormulaKind::kForAll:
      case FormulaKind::kExists: break;
    }
    if ((formula.kind == FormulaKind::kForAll) != positive) return z3_.bool_val(true);
    z3::expr_vector parts(z3_);
    for (std::uint32_t process = 0; process < processes; ++process) {
      const bool excluded =
          std::any_of(formula.others.begin(), formula.others.end(),
                      [&](const Process& other) { return grounding.process(other, environment) == process; });
      if (excluded) continue;
      Environment inside = environment;
      if (inside.size() <= formula.bound) inside.resize(formula.bound + 1);
      inside[formula.bound] = static_cast<std::uint8_t>(process);
      parts.push_back(this->formula(formula.operands[0], positive, grounding, inside, processes));
    }
    return z3::mk_and(parts);
  }

  z3::expr value(Node node) {
    if (node.is_zero()) return z3_.int_val(0);
    if (node.is_sum()) return sum(node);
    if (std::find(nodes_.begin(), nodes_.end(), node) == nodes_.end()) nodes_.push_back(node);
    return constant(node);
  }

  // Order.

  z3::expr position(const EventCube& cube, std::size_t event) {
    return z3_.constant(z3_.int_symbol(cube.events[event].instant), z3_.int_sort());
  }

  // The axioms that speak of events met.
  void require_order(const EventCube& cube) {
    const std::vector<Event>& events = cube.events;
    for (std::size_t first = 0; first < events.size(); ++first)
      for (std::size_t second = first + 1; second < events.size(); ++second) {
        if (events[first].instant == events[second].instant) continue;
        if (in_order(cube, first, second)) require(position(cube, first) < position(cube, second));
        if (write_same_cell(events[first], events[second]))
          require(position(cube, first) != position(cube, second));
      }
    for (const ReadFrom& link : cube.from) {
      WEIR_CHECK(link.write < link.read, "a read before the issue of the write it reads from");
      if (events[link.write].process != events[link.read].process)
        require(position(cube, link.write) < position(cube, link.read));
      require_from_read(cube, link.cell, position(cube, link.write), link.read, link.write);
    }
  }

  // A read that waits, of a cell that its process wrote before, must find a write of another process that
  // reached memory after that one. (Its own writes, still to be met, and the initial value come too early.)
  void require_sources(const EventCube& cube) {
    for (std::size_t number = 0; number < cube.waiting.size(); ++number) {
      const WaitingRead& read = cube.waiting[number];
      if (!wrote_before(cube, read)) continue;
      const z3::expr source =
          z3_.constant(z3_.int_symbol(static_cast<int>(kMostEvents + number)), z3_.int_sort());
      require(source < position(cube, read.event));
      require_from_read(cube, read.cell, source, read.event, cube.events.size());
    }
  }

  // The reads that wait read from the initial writes, which come before all others.
  void require_initial_sources(const EventCube& cube) {
    for (const WaitingRead& read : cube.waiting) {
      if (wrote_before(cube, read)) require(z3_.bool_val(false));
      for (std::size_t other = 0; other < cube.events.size(); ++other)
        if (writes(cube.events[other], read.cell) &&
            cube.events[other].instant != cube.events[read.event].instant)
          require(position(cube, read.event) < position(cube, other));
    }
  }

 private:
  // ppo, fence, views, issue.
  bool in_order(const EventCube& cube, std::size_t first, std::size_t second) const {
    const Event& one = cube.events[first];
    const Event& other = cube.events[second];
    if (cube.program_order(first, second) && (!one.write || other.write)) return true;
    if (cube.program_order(first, second) && fence_between(cube, first, second)) return true;
    if (!one.write && other.final) return true;
    return session_.issue_order && !one.write;
  }

  static bool fence_between(const EventCube& cube, std::size_t first, std::size_t second) {
    for (std::size_t between = first + 1; between <= second; ++between)
      if (cube.events[between].process == cube.events[first].process && cube.events[between].fenced)
        return true;
    return false;
  }

  static bool write_same_cell(const Event& one, const Event& other) {
    return std::any_of(one.cells.begin(), one.cells.end(), [&](Node cell) { return writes(other, cell); });
  }

  static bool wrote_before(const EventCube& cube, const WaitingRead& read) {
    for (std::size_t event = 0; event < read.event; ++event)
      if (cube.program_order(event, read.event) && writes(cube.events[event], read.cell)) return true;
    return false;
  }

  // co, fr and uniproc for a read of `cell` from a write at `source`; `write` is its number.
  void require_from_read(const EventCube& cube, Node cell, const z3::expr& source, std::size_t read,
                         std::size_t write) {
    for (std::size_t other = 0; other < cube.events.size(); ++other) {
      if (other == write || !writes(cube.events[other], cell)) continue;
      const z3::expr earlier = position(cube, other) < source;
      if (cube.program_order(other, read) && cube.events[other].instant != cube.events[read].instant)
        require(earlier);
      else if (cube.events[other].instant != cube.events[read].instant)
        require(earlier || (source < position(cube, other) && position(cube, read) < position(cube, other)));
    }
  }

  z3::expr constant(Node node) {
    const z3::sort sort = vocabulary_.domain(node) == Domain::kReal ? z3_.real_sort() : z3_.int_sort();
    return z3_.constant(("v" + std::to_string(node.bits())).c_str(), sort);
  }

  z3::expr in_its_sort(Node node) {
    const z3::expr here = constant(node);
    switch (vocabulary_.domain(node)) {
      case Domain::kFinite: {
        const ArraySystem& system = vocabulary_.system();
        const auto count =
            static_cast<int>(system.sort(system.symbol(node.symbol()).sort).constructors.size());
        return here >= 0 && here < count;
      }
      case Domain::kProcess: return here >= 0;
      case Domain::kAbstract:
      case Domain::kInteger:
      case Domain::kReal: break;
    }
    return z3_.bool_val(true);
  }

  z3::expr sum(Node node) {
    const bool real = vocabulary_.domain(node) == Domain::kReal;
    z3::expr result = real ? z3_.real_val(0) : whole(0);
    for (const Monomial& one : vocabulary_.monomials(node)) {
      const z3::expr factor = real ? z3_.real_val(one.factor) : whole(one.factor);
      result = result + factor * value(one.node);
    }
    return result;
  }

  z3::expr whole(std::int64_t number) { return z3_.int_val(number); }

  z3::expr constraint(const Constraint& one, std::uint32_t processes) {
    const z3::expr a = value(one.a);
    if (one.kind == ConstraintKind::kIn) return in_mask(a, one.mask(), vocabulary_.domain(one.a), processes);
    const z3::expr other = value(one.b);
    const z3::expr b = other.is_real() ? other + z3::to_real(whole(one.value)) : other + whole(one.value);
    return compare(as_number_of(/*other=*/b, a), one.kind, as_number_of(/*other=*/a, b));
  }

  // Zero and whole numbers are integers even if they are compared with a real.
  static z3::expr as_number_of(const z3::expr& other, const z3::expr& number) {
    return other.is_real() && number.is_int() ? z3::to_real(number) : number;
  }

  z3::expr compare(const z3::expr& a, ConstraintKind kind, const z3::expr& b) {
    switch (kind) {
      case ConstraintKind::kEqual: return a == b;
      case ConstraintKind::kDifferent: return a != b;
      case ConstraintKind::kAtMost: return a <= b;
      case ConstraintKind::kBelow: return a < b;
      case ConstraintKind::kIn: break;
    }
    WEIR_CHECK(false, "a constraint of no kind");
    return z3_.bool_val(false);
  }

  z3::expr in_mask(const z3::expr& node, std::uint64_t mask, Domain domain, std::uint32_t processes) {
    z3::expr_vector choices(z3_);
    const std::uint32_t bits = domain == Domain::kProcess ? processes : 64;
    for (std::uint32_t bit = 0; bit < bits; ++bit)
      if (((mask >> bit) & 1) != 0) choices.push_back(node == static_cast<int>(bit));
    if (domain == Domain::kProcess && (mask >> 63) != 0)
      choices.push_back(node >= static_cast<int>(processes));
    return z3::mk_or(choices);
  }

  z3::expr compare(const Formula& formula, const Grounding& grounding, const Environment& environment) {
    const z3::expr left = term(formula.terms[0], grounding, environment);
    const z3::expr right = term(formula.terms[1], grounding, environment);
    switch (formula.comparison) {
      case Comparison::kEqual: return left == right;
      case Comparison::kDifferent: return left != right;
      case Comparison::kLess: return left < right;
      case Comparison::kLessEqual: return left <= right;
    }
    return z3_.bool_val(false);
  }

  z3::expr term(const Term& term, const Grounding& grounding, const Environment& environment) {
    switch (term.kind) {
      case TermKind::kProcess: return whole(grounding.process(term.process, environment));
      case TermKind::kConstructor: return whole(term.constructor);
      case TermKind::kAccess: return value(grounding.cell(term.access, environment));
      case TermKind::kSum: break;
    }
    const bool real = vocabulary_.system().sort(term.sort).kind == SortKind::kReal;
    z3::expr sum = rational(term.number) * (real ? z3_.real_val(vocabulary_.real_scale()) : z3_.real_val(1));
    for (const Summand& summand : term.summands) {
      const z3::expr cell = value(grounding.cell(summand.access, environment));
      sum = sum + rational(summand.factor) * (real ? cell : z3::to_real(cell));
    }
    return sum;
  }

  z3::expr rational(const Rational& number) {
    return z3_.real_val(
        (std::to_string(number.numerator) + "/" + std::to_string(number.denominator)).c_str());
  }

  Session& session_;
  const Vocabulary& vocabulary_;
  z3::context& z3_;
  std::vector<Node> nodes_;  // the values used
};

// All choices of different processes.
std::vector<Environment> choices_of(std::uint32_t parameters, std::uint32_t processes) {
  std::vector<Environment> choices = {{}};
  for (std::uint32_t parameter = 0; parameter < parameters; ++parameter) {
    std::vector<Environment> longer;
    for (const Environment& choice : choices)
      for (std::uint32_t process = 0; process < processes; ++process) {
        if (std::find(choice.begin(), choice.end(), process) != choice.end()) continue;
        longer.push_back(choice);
        longer.back().push_back(static_cast<std::uint8_t>(process));
      }
    choices = std::move(longer);
  }
  return choices;
}

class Z3Solver final : public AxiomaticSolver {
 public:
  Z3Solver(const Vocabulary& vocabulary, bool issue_order) : session_(vocabulary, issue_order) {}

  SolverAnswer possible(const EventCube& cube) override;
  SolverAnswer initial(const EventCube& cube) override;
  SolverAnswer implies(const EventCube& cube, const std::vector<std::vector<Constraint>>& instances) override;

 private:
  // The answer of a question about satisfiability. What Z3 throws (it has run out of memory) is no answer.
  template <class Ask>
  SolverAnswer ask(const Ask& ask) {
    try {
      Query query(session_);
      ask(query);
      return query.satisfiable();
    } catch (const z3::exception&) {
      return SolverAnswer::kUnknown;
    }
  }

  Session session_;
};

SolverAnswer Z3Solver::possible(const EventCube& cube) {
  return ask([&](Query& query) {
    query.require(query.conjunction(cube.constraints, cube.processes));
    query.require_order(cube);
    query.require_sources(cube);
  });
}

SolverAnswer Z3Solver::initial(const EventCube& cube) {
  const Initial& initial = session_.vocabulary.system().initial;
  const auto parameters = static_cast<std::uint32_t>(initial.parameters.size());
  const std::uint32_t processes = std::max(cube.processes, parameters);
  const Grounding grounding(session_.vocabulary, processes, 0, [](Node cell, std::uint8_t) { return cell; });
  return ask([&](Query& query) {
    query.require(query.conjunction(cube.constraints, cube.processes));
    for (std::size_t read = 0; read < cube.waiting.size(); ++read) {
      const Node cell = cube.waiting[read].cell;
      const Node value = Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(read));
      query.require(query.value(value) == query.value(cell));
    }
    for (const Environment& choice : choices_of(parameters, processes))
      query.require(query.formula(initial.formula, true, grounding, choice, processes));
    query.require_order(cube);
    query.require_initial_sources(cube);
  });
}

SolverAnswer Z3Solver::implies(const EventCube& cube, const std::vector<std::vector<Constraint>>& instances) {
  const SolverAnswer outside = ask([&](Query& query) {
    query.require(query.conjunction(cube.constraints, cube.processes));
    for (const std::vector<Constraint>& instance : instances)
      query.require(!query.conjunction(instance, cube.processes));
  });
  if (outside == SolverAnswer::kUnknown) return outside;
  return outside == SolverAnswer::kNo ? SolverAnswer::kYes : SolverAnswer::kNo;
}

}  // namespace

}  // namespace weir::array

// The caller owns the result.
extern "C" __attribute__((visibility("default"))) weir::array::AxiomaticSolver* weir_make_axiomatic_solver(
    const weir::array::Vocabulary& vocabulary, bool issue_order) {
  return new weir::array::Z3Solver(vocabulary, issue_order);
}
