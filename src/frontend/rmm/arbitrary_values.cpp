// As long as numbers are only copied and compared, nothing but their order among each other and to the
// constants of the program matters. Let n variables and registers start with any number, and let the
// constants (numbers in the code, initial values, ends of ranges, numbers of variables where there are
// pointers) lie between low and high. A choice of n integers can be squeezed into low - n … high + n without
// changing that order: those between the ends stay, those below and above move up to them, one beside the
// other. A program that adds or subtracts registers can tell numbers apart in other ways, and needs ranges.
#include "frontend/rmm/arbitrary_values.hpp"

namespace weir::rmm {

namespace {

constexpr Value kMostValues = 256;
constexpr Value kLargestConstant = Value{1} << 40;  // so that nothing here overflows

class Constants {
 public:
  explicit Constants(const ProgramSyntax& syntax) : syntax_(syntax) {
    see_all(syntax.data, 1);
    for (const Process& process : syntax.processes) {
      see_all(process.data, process.copies);
      see_all(process.registers, process.copies);
      see_pointers(process.body);
    }
    for (const Term& term : syntax.terms) see(term);
  }

  std::optional<Range> sufficient() const {
    const bool small = low_ >= -kLargestConstant && high_ <= kLargestConstant;
    if (calculates_ || !small || high_ - low_ + 2 * arbitrary_ >= kMostValues) return std::nullopt;
    return Range{low_ - arbitrary_, high_ + arbitrary_};
  }

 private:
  void see(Value value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }

  void see_all(const std::vector<Declaration>& declarations, std::size_t copies) {
    for (const Declaration& declaration : declarations) {
      if (declaration.initial) see(*declaration.initial);
      if (declaration.range) see(declaration.range->low), see(declaration.range->high);
      if (!declaration.initial && !declaration.range) arbitrary_ += static_cast<Value>(copies);
    }
  }

  void see(const Term& term) {
    if (term.op == ExprOp::kConstant) see(term.value);
    calculates_ |= term.op == ExprOp::kAdd || term.op == ExprOp::kSub || term.op == ExprOp::kNegate;
  }

  void see_pointers(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      if (statement.place.kind == Place::Kind::kPointer) see(static_cast<Value>(syntax_.data.size()));
      for (const auto& branch : statement.branches) see_pointers(branch);
    }
  }

  const ProgramSyntax& syntax_;
  Value low_ = 0, high_ = 0;
  Value arbitrary_ = 0;  // how many start with any number
  bool calculates_ = false;
};

}  // namespace

std::optional<Range> sufficient_values(const ProgramSyntax& syntax) { return Constants(syntax).sufficient(); }

}  // namespace weir::rmm
