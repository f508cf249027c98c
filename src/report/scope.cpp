#include "report/scope.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/again.hpp"
#include "report/execution/synchronisation.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

bool has_assertions(const Program& program) {
  return std::ranges::any_of(program.edges,
                             [](const Edge& edge) { return edge.instruction.op == Opcode::kAssert; });
}

bool allocates(const Program& program) {
  return std::ranges::any_of(program.edges, [](const Edge& edge) {
    return edge.instruction.op == Opcode::kAllocate && edge.instruction.block != BlockKind::kStack;
  });
}

std::string threads_text(const Program& program, bool any_number) {
  return any_number ? "with any number of threads" : "with " + count_text(program.threads.size(), "thread");
}

}  // namespace

Scope scope_of(const Program& program) {
  const Properties& properties = program.properties;
  const bool is_c = program.byte_memory;
  Scope scope;
  const auto add = [&](bool asked, const char* what) {
    if (asked) scope.checked.emplace_back(what);
  };
  add(is_c || has_assertions(program), "assertions");
  add(is_c, "wrong accesses to memory");
  add(!properties.goals.empty(), "goals");
  add(!properties.exclusive.empty(), "mutual exclusion");
  add(!properties.invariants.empty(), "invariants");
  add(properties.deadlock, "deadlocks");
  add(properties.races, "data races");
  add(properties.leaks, "leaks");
  if (is_c && !properties.races && program.threads.size() > 1)
    scope.not_checked.push_back({"data races", "--races"});
  if (is_c && !properties.leaks && allocates(program)) scope.not_checked.push_back({"leaks", "--leaks"});
  if (is_c && !properties.deadlock) scope.not_checked.push_back({"deadlocks", "leave out --no-deadlock"});
  if (!is_c && !properties.deadlock) scope.not_checked.push_back({"deadlocks", "--deadlock"});
  return scope;
}

std::string scope_text(const Program& program, const Answer& answer, const RunInfo& run) {
  const Scope scope = scope_of(program);
  const bool any_number = answer.threads || asks_for_any_number(run);
  std::string out = answer.verdict == Verdict::kSafe ? "Checked: " : "Looked for: ";
  out += scope.checked.empty() ? "nothing, as the program states no property" : listed(scope.checked);
  out += fmt::format(", {}.\n", threads_text(program, any_number));
  std::vector<std::string> others;
  if (any_number) return out;
  for (const NotChecked& each : scope.not_checked)
    others.push_back(fmt::format("{} ({})", each.what, each.option));
  return out + (others.empty() ? "" : fmt::format("Not checked: {}.\n", listed(others)));
}

std::string fairness_scope_text(const Program& program, const RunInfo& run) {
  return fmt::format("Checked: that requests are granted, {}.\nNot checked: other mistakes ({}).\n",
                     threads_text(program, false), ask_again(run, "check"));
}

std::string robustness_scope_text(const Program& program, const RunInfo& run) {
  return fmt::format(
      "Checked: what store buffers add, {}.\nNot checked: what goes wrong without them ({}).\n",
      threads_text(program, asks_for_any_number(run)), ask_again(run, "check"));
}

}  // namespace weir
