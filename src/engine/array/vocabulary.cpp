#include "engine/array/vocabulary.hpp"

#include <bit>
#include <fmt/format.h>
#include <functional>
#include <numeric>

#include "base/error.hpp"

namespace weir::array {

namespace {

constexpr std::uint32_t kUnused = 31;

// Calls `visit` for every term and every process in a formula.
void walk(const Formula& formula, const std::function<void(const Term&)>& visit,
          const std::function<void(const Process&)>& process) {
  for (const Term& term : formula.terms) visit(term);
  for (const Process& other : formula.others) process(other);
  for (const Formula& operand : formula.operands) walk(operand, visit, process);
}

}  // namespace

Renaming Renaming::identity(std::uint32_t processes) {
  Renaming renaming;
  for (std::uint32_t i = 0; i < kMostProcesses; ++i) renaming.process[i] = static_cast<std::uint8_t>(i);
  for (std::uint32_t i = 0; i < kMostReads; ++i) renaming.read[i] = static_cast<std::uint8_t>(i);
  renaming.processes = processes;
  return renaming;
}

Node Node::cell(SymbolId symbol, const std::uint8_t* processes, std::uint32_t dimensions) {
  std::uint32_t bits = symbol.index() << 15;
  for (std::uint32_t place = 0; place < kMostDimensions; ++place)
    bits |= (place < dimensions ? processes[place] : kUnused) << (5 * place);
  return Node(bits);
}

std::uint32_t Node::dimensions() const {
  std::uint32_t count = 0;
  while (count < kMostDimensions && process(count) != kUnused) ++count;
  return count;
}

std::uint32_t Node::processes() const {
  std::uint32_t set = 0;
  if (is_cell())
    for (std::uint32_t place = 0; place < kMostDimensions; ++place)
      if (process(place) != kUnused) set |= 1u << process(place);
  return set;
}

Node Node::renamed(const Renaming& renaming) const {
  if (is_zero()) return *this;
  if (is_read()) return value_of_read(symbol(), renaming.read[read()]);
  std::uint32_t bits = bits_ & ~0x7FFFu;
  for (std::uint32_t place = 0; place < kMostDimensions; ++place) {
    const std::uint32_t old = process(place);
    bits |= (old == kUnused ? kUnused : renaming.process[old]) << (5 * place);
  }
  return Node(bits);
}

std::string obstacle(const ArraySystem& system) {
  constexpr std::size_t kMostSymbols = 65'000;
  constexpr std::size_t kMostConstructors = 63;
  for (const Symbol& symbol : system.symbols)
    if (symbol.dimensions > kMostDimensions)
      return fmt::format("array {} has {} dimensions, and only {} are supported", symbol.name,
                         symbol.dimensions, kMostDimensions);
  for (const Sort& sort : system.sorts)
    if (sort.constructors.size() > kMostConstructors)
      return fmt::format("type {} has {} constructors, and only {} are supported", sort.name,
                         sort.constructors.size(), kMostConstructors);
  if (system.symbols.size() > kMostSymbols) return "there are too many variables";
  return {};
}

Vocabulary::Vocabulary(const ArraySystem& system) : system_(&system) {
  for (const Symbol& symbol : system.symbols) {
    const Sort& sort = system.sort(symbol.sort);
    Domain domain = Domain::kAbstract;
    std::uint64_t mask = ~std::uint64_t{0};
    switch (sort.kind) {
      case SortKind::kProcess: domain = Domain::kProcess; break;
      case SortKind::kBoolean:
      case SortKind::kEnumeration:
        domain = Domain::kFinite;
        WEIR_CHECK(sort.constructors.size() < 64, "an enumeration with more than 63 constructors");
        mask = (std::uint64_t{1} << sort.constructors.size()) - 1;
        break;
      case SortKind::kAbstract: break;
      case SortKind::kInteger: domain = Domain::kInteger; break;
      case SortKind::kReal: domain = Domain::kReal; break;
    }
    domains_.push_back(domain);
    masks_.push_back(mask);
  }
  const auto process = [&](const Process& named) {
    if (named.constant) pinned_ = std::max(pinned_, named.index + 1);
  };
  const auto access = [&](const Access& used) {
    for (const Process& argument : used.arguments) process(argument);
    if (used.viewer) process(*used.viewer);
  };
  const auto term = [&](const Term& used) {
    if (used.kind == TermKind::kProcess) process(used.process);
    if (used.kind == TermKind::kAccess) access(used.access);
    real_scale_ = std::lcm(real_scale_, used.number.denominator);
    for (const Summand& summand : used.summands) {
      access(summand.access);
      real_scale_ = std::lcm(real_scale_, summand.factor.denominator);
    }
  };
  const auto formula = [&](const Formula& used) { walk(used, term, process); };
  formula(system.initial.formula);
  for (const auto* cubes : {&system.unsafe, &system.invariants})
    for (const Cube& cube : *cubes)
      for (const Formula& literal : cube.literals) formula(literal);
  for (const Transition& transition : system.transitions) {
    formula(transition.guard);
    for (const Update& update : transition.updates) {
      for (const Process& argument : update.arguments) process(argument);
      for (const UpdateCase& one : update.cases) {
        formula(one.guard);
        if (one.value) term(*one.value);
      }
    }
  }
}

std::optional<std::int64_t> Vocabulary::scaled(Rational number, SortId sort) const {
  const std::int64_t scale = system_->sort(sort).kind == SortKind::kReal ? real_scale_ : 1;
  if (scale % number.denominator != 0) return std::nullopt;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(number.numerator, scale / number.denominator, &result)) return std::nullopt;
  constexpr std::int64_t kLargest = std::int64_t{1} << 52;  // differences of sums stay far from overflow
  if (result > kLargest || result < -kLargest) return std::nullopt;
  return result;
}

std::uint64_t renamed_processes(std::uint64_t mask, const Renaming& renaming) {
  const bool others = (mask >> 63) != 0;
  std::uint64_t result = others ? ~std::uint64_t{0} : 0;
  for (std::uint32_t i = 0; i < renaming.processes; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << renaming.process[i];
    result = ((mask >> i) & 1) != 0 ? result | bit : result & ~bit;
  }
  return result;
}

Constraint renamed(const Constraint& constraint, const Renaming& renaming, const Vocabulary& vocabulary) {
  Constraint result = constraint;
  result.a = constraint.a.renamed(renaming);
  result.b = constraint.b.renamed(renaming);
  if (constraint.kind == ConstraintKind::kIn && vocabulary.domain(constraint.a) == Domain::kProcess)
    result.value = static_cast<std::int64_t>(renamed_processes(constraint.mask(), renaming));
  return result;
}

Constraint negated(const Constraint& constraint, const Vocabulary& vocabulary) {
  Constraint result = constraint;
  switch (constraint.kind) {
    case ConstraintKind::kIn:
      result.value = static_cast<std::int64_t>(vocabulary.everything(constraint.a) & ~constraint.mask());
      break;
    case ConstraintKind::kEqual: result.kind = ConstraintKind::kDifferent; break;
    case ConstraintKind::kDifferent: result.kind = ConstraintKind::kEqual; break;
    case ConstraintKind::kAtMost:  // b - a < -value
      std::swap(result.a, result.b);
      if (vocabulary.integer(constraint.a, constraint.b)) {
        result.value = -constraint.value - 1;
      } else {
        result.kind = ConstraintKind::kBelow;
        result.value = -constraint.value;
      }
      break;
    case ConstraintKind::kBelow:
      std::swap(result.a, result.b);
      result.kind = ConstraintKind::kAtMost;
      result.value = -constraint.value;
      break;
  }
  return result;
}

std::string describe(Node node, const Vocabulary& vocabulary) {
  if (node.is_zero()) return "0";
  const std::string& name = vocabulary.system().symbol(node.symbol()).name;
  if (node.is_read()) return fmt::format("{}!{}", name, node.read());
  std::string text = name;
  for (std::uint32_t place = 0; place < node.dimensions(); ++place)
    text += fmt::format("{}#{}", place == 0 ? "[" : ", ", node.process(place) + 1);
  return node.dimensions() == 0 ? text : text + "]";
}

std::string describe(const Constraint& constraint, const Vocabulary& vocabulary) {
  const std::string a = describe(constraint.a, vocabulary);
  const std::string b = describe(constraint.b, vocabulary);
  const auto plus = [&] { return constraint.value == 0 ? b : fmt::format("{} + {}", b, constraint.value); };
  switch (constraint.kind) {
    case ConstraintKind::kIn: {
      const ArraySystem& system = vocabulary.system();
      const Sort& sort = system.sort(system.symbol(constraint.a.symbol()).sort);
      std::string text;
      const std::uint32_t bits =
          sort.kind == SortKind::kProcess ? 31 : static_cast<std::uint32_t>(sort.constructors.size());
      for (std::uint32_t bit = 0; bit < bits; ++bit)
        if (((constraint.mask() >> bit) & 1) != 0)
          text += (text.empty() ? "" : ", ") +
                  (sort.kind == SortKind::kProcess ? fmt::format("#{}", bit + 1) : sort.constructors[bit]);
      return fmt::format("{} in {{{}}}", a, text);
    }
    case ConstraintKind::kEqual: return fmt::format("{} = {}", a, plus());
    case ConstraintKind::kDifferent: return fmt::format("{} <> {}", a, plus());
    case ConstraintKind::kAtMost: return fmt::format("{} <= {}", a, plus());
    case ConstraintKind::kBelow: return fmt::format("{} < {}", a, plus());
  }
  return {};
}

}  // namespace weir::array
