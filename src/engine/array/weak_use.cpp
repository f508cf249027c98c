#include "engine/array/weak_use.hpp"

#include <algorithm>

namespace weir::array {

namespace {

bool reads_weak(const Access& access, const ArraySystem& system) { return system.symbol(access.symbol).weak; }

bool reads_weak(const Term& term, const ArraySystem& system) {
  if (term.kind == TermKind::kAccess && reads_weak(term.access, system)) return true;
  return std::any_of(term.summands.begin(), term.summands.end(),
                     [&](const Summand& summand) { return reads_weak(summand.access, system); });
}

bool reads_weak(const Formula& formula, const ArraySystem& system) {
  return std::any_of(formula.terms.begin(), formula.terms.end(),
                     [&](const Term& term) { return reads_weak(term, system); }) ||
         std::any_of(formula.operands.begin(), formula.operands.end(),
                     [&](const Formula& operand) { return reads_weak(operand, system); });
}

}  // namespace

bool keeps_cell(const Update& update, const UpdateCase& one) {
  const bool of_array = update.everywhere || !update.arguments.empty();  // X := X reads and writes
  if (!one.value || !of_array) return false;
  const Term& value = *one.value;
  const Access* access = nullptr;
  if (value.kind == TermKind::kAccess) access = &value.access;
  if (value.kind == TermKind::kSum && value.summands.size() == 1 && value.number.numerator == 0 &&
      value.summands[0].factor == Rational{1, 1})
    access = &value.summands[0].access;
  if (access == nullptr || access->symbol != update.symbol) return false;
  for (std::size_t i = 0; i < access->arguments.size(); ++i) {
    const Process here = update.everywhere ? Process{false, update.bound[i]} : update.arguments[i];
    if (access->arguments[i] != here) return false;
  }
  return true;
}

WeakUse weak_use(const Transition& transition, const ArraySystem& system) {
  WeakUse use{reads_weak(transition.guard, system), false};
  for (const Update& update : transition.updates) {
    use.writes = use.writes || system.symbol(update.symbol).weak;
    for (const UpdateCase& one : update.cases)
      use.reads = use.reads || reads_weak(one.guard, system) ||
                  (one.value && !keeps_cell(update, one) && reads_weak(*one.value, system));
  }
  return use;
}

namespace {

// Looks for an ordinary symbol in a weak system that is used as shared memory.
class OwnershipCheck {
 public:
  explicit OwnershipCheck(const ArraySystem& system)
      : system_(system), places_(system.symbols.size(), kAny), shared_(system.symbols.size()) {
    for (const Transition& transition : system.transitions)
      for (const Update& update : transition.updates) written_.push_back(update.symbol);
    for (const Transition& transition : system.transitions) visit(transition);
  }

  std::optional<SharedOrdinary> found() const {
    for (const SymbolId symbol : written_)
      if (!system_.symbol(symbol).weak && shared_[symbol.index()]) return shared_[symbol.index()];
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kAny = ~0u;  // every place may still be the owner's

  // The places of the arguments that are the performing process, as a set.
  void use(SymbolId symbol, const std::vector<Process>& arguments, SourcePosition position) {
    std::uint32_t owner = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (performer_ && !arguments[i].constant && arguments[i].index == *performer_) owner |= 1u << i;
    std::uint32_t& places = places_[symbol.index()];
    places &= owner;
    if (places == 0 && !shared_[symbol.index()]) shared_[symbol.index()] = SharedOrdinary{symbol, position};
  }
  void visit(const Term& term) {
    if (term.kind == TermKind::kAccess) use(term.access.symbol, term.access.arguments, term.position);
    for (const Summand& summand : term.summands)
      use(summand.access.symbol, summand.access.arguments, term.position);
  }
  void visit(const Formula& formula) {
    for (const Term& term : formula.terms) visit(term);
    for (const Formula& operand : formula.operands) visit(operand);
  }
  void visit(const Transition& transition) {
    performer_ = transition.performer;
    visit(transition.guard);
    for (const Update& update : transition.updates) {
      use(update.symbol, update.everywhere ? std::vector<Process>{} : update.arguments, update.position);
      for (const UpdateCase& one : update.cases) {
        visit(one.guard);
        if (one.value) visit(*one.value);
      }
    }
  }

  const ArraySystem& system_;
  std::optional<std::uint32_t> performer_;
  std::vector<std::uint32_t> places_;
  std::vector<std::optional<SharedOrdinary>> shared_;
  std::vector<SymbolId> written_;
};

}  // namespace

std::optional<SharedOrdinary> shared_ordinary_symbol(const ArraySystem& system) {
  if (!system.weak()) return std::nullopt;
  return OwnershipCheck(system).found();
}

}  // namespace weir::array
