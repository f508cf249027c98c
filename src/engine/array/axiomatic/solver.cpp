#include "engine/array/axiomatic/solver.hpp"

#include "base/module.hpp"

namespace weir::array {

std::unique_ptr<AxiomaticSolver> make_axiomatic_solver(const Vocabulary& vocabulary, bool issue_order) {
  using Make = AxiomaticSolver*(const Vocabulary&, bool);
  auto make = module_function("libweir_z3.so", "weir_make_axiomatic_solver");
  if (!make) return nullptr;
  return std::unique_ptr<AxiomaticSolver>(reinterpret_cast<Make*>(*make)(vocabulary, issue_order));
}

}  // namespace weir::array
