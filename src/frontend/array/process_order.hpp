// The order of processes. Cubicle lets processes be compared by <, as if they were numbers; a system here
// knows them only as equal or different. Which process comes first makes no difference to what can be
// reached, only that the order is one and never changes. So `p < q` becomes `Rank[p] < Rank[q]`, where Rank
// is a constant array of integers that is added to the system, and the initial formula says that different
// processes have different ranks, and that those of #1, #2, … ascend.
#pragma once

#include "frontend/array/names.hpp"

namespace weir::cub {

class ProcessOrder {
 public:
  ProcessOrder(const Names& names, ArraySystem& system) : names_(names), system_(system) {}

  array::Formula compare(array::Process left, Comparison comparison, array::Process right,
                         SourcePosition position);

  // Adds what ranks are to the initial formula, if any processes were compared.
  void finish();

 private:
  array::Formula ranks(array::Process left, Comparison comparison, array::Process right) const;
  std::vector<array::Formula> axioms() const;

  const Names& names_;
  ArraySystem& system_;
  SymbolId rank_;  // valid once it is used
  SourcePosition position_;
};

}  // namespace weir::cub
