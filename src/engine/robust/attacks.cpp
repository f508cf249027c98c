// The attacks of a program, and which of them cannot succeed whatever the data (the queries that
// [Bouajjani13, Section 8.2] counts as NR1).
#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <tuple>

#include "engine/robust/delay_graph.hpp"
#include "engine/robust/robust.hpp"
#include "engine/robust/sections.hpp"
#include "machine/code.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

// The functions that a thread may execute: its own, and what it calls.
std::vector<bool> functions_of(const Program& program, FunctionId outermost) {
  std::vector<bool> found(program.functions.size());
  std::vector<FunctionId> open{outermost};
  while (!open.empty()) {
    const FunctionId function = open.back();
    open.pop_back();
    if (found[function.index()]) continue;
    found[function.index()] = true;
    for (const Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kCall && program.location(edge.source).function == function)
        open.push_back(edge.instruction.callee);
  }
  return found;
}

std::vector<EdgeId> edges_of(const Program& program, const std::vector<bool>& functions, Opcode op) {
  std::vector<EdgeId> edges;
  for (std::size_t e = 0; e < program.edges.size(); ++e)
    if (program.edges[e].instruction.op == op &&
        functions[program.location(program.edges[e].source).function.index()])
      edges.push_back(EdgeId(e));
  return edges;
}

}  // namespace

std::vector<Attack> enumerate_attacks(const Program& program) {
  std::vector<Attack> attacks;
  const bool all_differ = knows_self(program);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    const auto same_code = [&](const Thread& other) {
      if (all_differ) return &other == &thread;
      return other.function == thread.function && other.arguments == thread.arguments &&
             other.dormant == thread.dormant;
    };
    const auto first = std::ranges::find_if(program.threads, same_code);
    if (first != program.threads.begin() + static_cast<std::ptrdiff_t>(t)) continue;
    const std::vector<bool> functions = functions_of(program, thread.function);
    for (const EdgeId store : edges_of(program, functions, Opcode::kStore))
      for (const EdgeId load : edges_of(program, functions, Opcode::kLoad))
        attacks.push_back({ThreadId(t), store, load});
  }
  return attacks;
}

std::vector<bool> possible_attacks(const Program& program, const std::vector<Attack>& attacks,
                                   const std::vector<LocationId>& fences) {
  const DelayGraph graph(program, fences);
  const Sections sections(program);
  absl::flat_hash_map<EdgeId, std::vector<bool>> after;  // per store
  std::vector<bool> possible;
  for (const Attack& attack : attacks) {
    const Edge& store = program.edge(attack.store);
    if (waits_for_empty_buffer(store.instruction) || !sections.may_be_outside(store.source)) {
      possible.push_back(false);
      continue;
    }
    auto [known, added] = after.try_emplace(attack.store);
    if (added) known->second = graph.reachable_after(attack.store);
    possible.push_back(known->second[attack.load.index()]);
  }
  return possible;
}

}  // namespace weir
