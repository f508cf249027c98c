// Terms and formulas of an array system with given processes, evaluated by their definition. Quantifiers run
// through all processes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "check/array/state.hpp"
#include "program/array/system.hpp"

namespace weir::array {

// The process of each bound variable.
using Environment = std::vector<std::uint32_t>;

// What a formula is about. Something not known (while an initial state is being put together) is none.
struct Outlook {
  // The value of a cell, as the viewer sees it where there is one.
  std::function<std::optional<Rational>(std::size_t cell, std::optional<std::uint32_t> viewer)> value;
  std::optional<bool> fence;  // does fence() hold?
};

class ArrayEvaluator {
 public:
  // `cells` must outlive the evaluator.
  ArrayEvaluator(const ArrayCells& cells, std::uint32_t processes) : cells_(cells), processes_(processes) {}

  // None if it depends on something that is not known or on a number that does not fit in 64 bits.
  std::optional<bool> holds(const Formula& formula, const Environment& environment,
                            const Outlook& outlook) const;
  std::optional<Rational> value(const Term& term, const Environment& environment,
                                const Outlook& outlook) const;

  std::uint32_t process(const Process& process, const Environment& environment) const;
  std::vector<std::uint32_t> processes(const std::vector<Process>& named,
                                       const Environment& environment) const;
  std::size_t cell(const Access& access, const Environment& environment) const;

 private:
  std::optional<Rational> value(const Access& access, const Environment& environment,
                                const Outlook& outlook) const;
  std::optional<bool> compare(const Formula& formula, const Environment& environment,
                              const Outlook& outlook) const;
  std::optional<bool> combine(const Formula& formula, const Environment& environment, const Outlook& outlook,
                              bool decisive) const;
  std::optional<bool> quantify(const Formula& formula, Environment environment, const Outlook& outlook,
                               bool decisive) const;

  const ArrayCells& cells_;
  std::uint32_t processes_;
};

// Calls visit(choice) for every choice of `count` different processes until one call returns false; is that
// so?
bool every_choice(std::uint32_t processes, std::size_t count,
                  const std::function<bool(const std::vector<std::uint32_t>&)>& visit);

}  // namespace weir::array
