#include "engine/array/theory/forgetting.hpp"

namespace weir::array {

namespace {

// The values in the mask, one by one; the processes that are not named are one value.
std::vector<std::uint64_t> single_values(std::uint64_t mask, Node node, std::uint32_t processes,
                                         const Vocabulary& vocabulary) {
  std::vector<std::uint64_t> values;
  const bool process = vocabulary.domain(node) == Domain::kProcess;
  const std::uint32_t bits = process ? processes : 64;
  for (std::uint32_t bit = 0; bit < bits; ++bit)
    if (((mask >> bit) & 1) != 0) values.push_back(std::uint64_t{1} << bit);
  if (process && (mask >> 63) != 0) values.push_back(~std::uint64_t{0} << processes);
  return values;
}

// The cases to distinguish before the node is forgotten; none if it can be.
std::vector<Constraint> cases_of(Node node, const Facts& facts, std::uint32_t processes) {
  const Vocabulary& vocabulary = facts.vocabulary();
  std::vector<Constraint> cases;
  if (facts.open_finite(node)) {
    const auto values = single_values(facts.mask(node), node, processes, vocabulary);
    if (values.size() > 1)
      for (const std::uint64_t value : values) cases.push_back(Constraint::in(node, value));
  }
  if (const auto different = facts.open_number(node))
    for (const Constraint& side : sides(*different, vocabulary)) cases.push_back(side);
  return cases;
}

}  // namespace

void forget_all(const std::vector<Constraint>& constraints, const std::vector<Node>& nodes,
                std::uint32_t processes, const Vocabulary& vocabulary, const Forgotten& found) {
  if (nodes.empty()) return found(constraints, true);
  Facts facts(vocabulary);
  if (!facts.assume_all(constraints)) return;
  for (const Node node : nodes) {
    const std::vector<Constraint> cases = cases_of(node, facts, processes);
    for (const Constraint& one : cases) {
      std::vector<Constraint> narrower = constraints;
      narrower.push_back(one);
      forget_all(narrower, nodes, processes, vocabulary, found);
    }
    if (!cases.empty()) return;
  }
  bool exact = true;
  for (const Node node : nodes) exact = facts.forget(node) && exact;
  std::vector<Constraint> rest;
  facts.normal_form(rest);
  found(rest, exact);
}

}  // namespace weir::array
