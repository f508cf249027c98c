// Terms and formulas of an array system with given processes as expressions of a program. Quantifiers are
// written out; what depends on nothing but the processes is decided here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "program/array/system.hpp"
#include "program/program.hpp"

namespace weir::array {

// Numbers of the system must stay within this distance from 0, so that no expression wraps around.
inline constexpr std::int64_t kGreatestNumber = std::int64_t{1} << 40;

// A condition: known, or an expression.
struct Condition {
  std::optional<bool> known;
  ExprId expression;  // if it is not known

  bool always() const { return known == true; }
  bool never() const { return known == false; }
};

class InstanceTerms {
 public:
  using Processes = std::vector<std::uint32_t>;  // of the bound variables
  // The expression for a cell.
  using Leaf =
      std::function<ExprId(SymbolId symbol, const Processes& arguments, std::optional<std::uint32_t> viewer)>;

  InstanceTerms(Program& program, std::uint32_t processes) : program_(program), processes_(processes) {}

  // `fence` is what fence() stands for.
  Condition condition(const Formula& formula, const Processes& bound, const Leaf& leaf,
                      bool fence = true) const;
  ExprId value(const Term& term, const Processes& bound, const Leaf& leaf) const;

  Processes resolve(const std::vector<Process>& named, const Processes& bound) const;
  static Processes extended(Processes bound, std::uint32_t variable, std::uint32_t process);

  Condition negation(const Condition& condition) const;
  Condition both(const Condition& one, const Condition& other) const;
  Condition either(const Condition& one, const Condition& other) const;
  ExprId expression(const Condition& condition) const;

 private:
  Condition comparison(const Formula& formula, const Processes& bound, const Leaf& leaf) const;

  Program& program_;
  std::uint32_t processes_;
};

// Calls visit for every choice of `count` different processes.
void for_each_choice(std::uint32_t processes, std::size_t count,
                     const std::function<void(const InstanceTerms::Processes&)>& visit);

}  // namespace weir::array
