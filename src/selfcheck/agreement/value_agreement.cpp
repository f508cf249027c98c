#include "selfcheck/agreement/value_agreement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "selfcheck/brute_force/value_classes.hpp"

namespace weir::selfcheck {

namespace {

struct Visited {
  SmcAnswer answer;
  std::set<std::string> values;  // what was read and written
  std::string met_twice;         // a class of reads-value-from
};

Visited visit(const Program& program, SmcOptions options) {
  Visited found;
  std::set<std::string> classes;
  options.executions = [&](const std::string& execution) {
    if (!classes.insert(execution).second) found.met_twice = execution;
    found.values.insert(execution.substr(0, execution.find("causes:")));
  };
  Context context;
  found.answer = explore_executions(program, options, context);
  return found;
}

std::string problem_with_witness(const Program& program, const SmcAnswer& answer, bool fails) {
  if ((answer.violating > 0) != fails) return fails ? "no violation is found" : "a violation is found";
  if (!fails) return {};
  if (!answer.witness) return "a violation without a witness";
  const ReplayResult replayed = replay(program, *answer.witness);
  return replayed.reproduced ? "" : "the witness does not replay: " + replayed.failure;
}

std::string problem_with_values(const Visited& found, const ValueClasses& expected) {
  const std::size_t values = expected.proper.values.size() + expected.blocked.values.size();
  if (found.values.size() != values)
    return fmt::format("{} combinations of values instead of {}", found.values.size(), values);
  if (found.answer.traces < expected.proper.values.size() ||
      found.answer.blocked < expected.blocked.values.size())
    return fmt::format("only {} executions end and {} block, with {} and {} combinations of values",
                       found.answer.traces, found.answer.blocked, expected.proper.values.size(),
                       expected.blocked.values.size());
  return {};
}

// To the engine, an atomic block or what is between lock and unlock is one step, which depends on all that it
// reads; to brute force it is several, and what it writes first depends on nothing that it reads later.
bool has_blocks(const Program& program) {
  return std::ranges::any_of(program.edges, [](const Edge& edge) {
    return edge.instruction.op == Opcode::kAtomicBegin || edge.instruction.op == Opcode::kLock;
  });
}

std::string at_most(const SmcAnswer& answer, std::size_t proper, std::size_t blocked) {
  if (answer.traces <= proper && answer.blocked <= blocked) return {};
  return fmt::format("{} executions end and {} block, but there are only {} and {} classes", answer.traces,
                     answer.blocked, proper, blocked);
}

std::string difference(const Visited& found, Equivalence equivalence, const ValueClasses& expected,
                       bool blocks) {
  if (!found.answer.complete) return "not complete: " + found.answer.reason;
  if (std::string problem = problem_with_values(found, expected); !problem.empty()) return problem;
  if (equivalence == Equivalence::kReadsValueFrom) {
    if (!found.met_twice.empty()) return "met twice:\n" + found.met_twice;
    if (blocks) return {};
    return at_most(found.answer, expected.proper.reads_value_from.size(),
                   expected.blocked.reads_value_from.size());
  }
  if (equivalence == Equivalence::kValueCentric) {
    if (blocks) return {};
    return at_most(found.answer, expected.proper.value_centric.size(), expected.blocked.value_centric.size());
  }
  const std::size_t proper = expected.proper.data_centric.size();
  const std::size_t blocked = expected.blocked.data_centric.size();
  if (found.answer.traces == proper && found.answer.blocked == blocked) return {};
  return fmt::format("{} executions end and {} block instead of {} and {}", found.answer.traces,
                     found.answer.blocked, proper, blocked);
}

std::string compare(const Program& program, SmcOptions options, const ValueClasses& expected,
                    ValueComparisons& made) {
  const Visited found = visit(program, options);
  if (found.answer.beyond_engine) return ++made.given_up, "";
  std::string problem = difference(found, options.equivalence, expected, has_blocks(program));
  if (problem.empty())
    problem = problem_with_witness(program, found.answer, !expected.failing.values.empty());
  if (options.equivalence == Equivalence::kReadsValueFrom)
    made.visited += found.answer.traces + found.answer.blocked;
  return problem.empty() ? "" : fmt::format("{}: {}", name(options.equivalence), problem);
}

std::string compare_all(const Program& program, Model model, const ValueHeuristics& heuristics,
                        const ExecutionLimits& limits, ValueComparisons& made) {
  const bool has_rooted = model == Model::kSc;
  for (std::size_t root = 0; root < (has_rooted ? program.threads.size() : 1); ++root) {
    const ValueClasses expected = value_classes(program, model, ThreadId(root), limits);
    if (expected.too_large) return ++made.too_large, "";
    const std::size_t before = made.given_up;
    for (const Equivalence equivalence :
         {Equivalence::kReadsValueFrom, Equivalence::kValueCentric, Equivalence::kDataCentric}) {
      const bool rooted = equivalence != Equivalence::kReadsValueFrom;
      if (rooted ? !has_rooted : root > 0) continue;
      SmcOptions options;
      options.model = model;
      options.equivalence = equivalence;
      options.root = root;
      options.heuristics = heuristics;
      std::string problem = compare(program, options, expected, made);
      if (!problem.empty()) return rooted ? fmt::format("root {}, {}", root, problem) : problem;
    }
    if (root > 0 || made.given_up > before) continue;
    ++made.compared;
    made.blocking += !expected.blocked.values.empty();
    made.values += expected.proper.values.size() + expected.blocked.values.size();
    made.classes += expected.proper.reads_value_from.size() + expected.blocked.reads_value_from.size();
  }
  return {};
}

}  // namespace

std::string value_disagreement(const Program& program, Model model, ValueComparisons* made,
                               const ValueHeuristics& heuristics, const ExecutionLimits& limits) {
  ValueComparisons unused;
  try {
    return compare_all(program, model, heuristics, limits, made != nullptr ? *made : unused);
  } catch (const InternalError& error) {
    return error.what();
  }
}

}  // namespace weir::selfcheck
