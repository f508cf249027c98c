#include "selfcheck/agreement/dual_agreement.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "engine/coverability/dual/check.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/instances.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::uint32_t kLongestDualBuffer = 4;

// The program with one property at a time; assertions are always among what may fail.
std::vector<Program> questions(const Program& program) {
  std::vector<Program> result;
  const auto ask = [&](auto&& change) {
    result.push_back(program);
    result.back().properties = {};
    change(result.back().properties);
  };
  const Properties& all = program.properties;
  ask([](Properties&) {});
  for (const auto& goal : all.goals) ask([&](Properties& p) { p.goals.push_back(goal); });
  for (const auto& list : all.exclusive) ask([&](Properties& p) { p.exclusive.push_back(list); });
  for (const Invariant& invariant : all.invariants)
    ask([&](Properties& p) { p.invariants.push_back(invariant); });
  return result;
}

Answer explicit_answer(const Program& program, Model model) {
  Context context({.timeout = std::chrono::milliseconds(1000)}, {}, false);
  ExplicitOptions options;
  options.model = model;
  options.buffer = kLongestDualBuffer;
  options.minimise_effort = 0;
  return check_explicit(program, options, context);
}

class DualComparison {
 public:
  DualComparison(const Program& program, Model model, DualComparisons& made)
      : program_(program), model_(model), made_(made) {}

  std::string disagreement() {
    const Answer expected = explicit_answer(program_, model_);
    std::string problem = compare(expected, false);
    if (problem.empty()) problem = compare(expected, true);
    if (problem.empty() && model_ == Model::kTso) problem = compare_any();
    return problem;
  }

 private:
  DualAnswer ask(bool textbook, bool any_number) {
    Context context({.timeout = std::chrono::milliseconds(1000)}, {}, false);
    return check_dual(program_, {.model = model_, .any_number = any_number, .textbook = textbook}, context);
  }

  std::string compare(const Answer& expected, bool textbook) {
    const DualAnswer found = ask(textbook, false);
    const std::string who = fmt::format("{}{}", name(model_), textbook ? ", textbook" : "");
    if (std::string problem = problem_with_witness(program_, found.answer); !problem.empty())
      return fmt::format("{}: {}", who, problem);
    if (found.answer.verdict == Verdict::kUnknown) return ++made_.refused, "";
    if (expected.verdict == Verdict::kUnknown) return ++made_.undecided, "";
    if (expected.verdict != found.answer.verdict)
      return fmt::format("{}: explicit says {}, dual {}", who, name(expected.verdict),
                         name(found.answer.verdict));
    ++made_.compared;
    made_.unsafe += expected.verdict == Verdict::kUnsafe;
    return "";
  }

  static std::string problem_with_witness(const Program& program, const Answer& answer) {
    if (answer.verdict != Verdict::kUnsafe) return "";
    if (!answer.witness) return "no witness";
    const ReplayResult replayed = replay(program, *answer.witness);
    return replayed.reproduced ? "" : "the witness does not replay: " + replayed.failure;
  }

  std::string compare_any() {
    const DualAnswer found = ask(false, true);
    if (std::string problem = problem_with_witness(found.instance, found.answer); !problem.empty())
      return "any number: " + problem;
    if (found.answer.verdict == Verdict::kUnknown) return "";
    ++made_.any_number;
    made_.any_unsafe += found.answer.verdict == Verdict::kUnsafe;
    if (found.answer.verdict == Verdict::kUnsafe) return "";
    for (std::uint32_t copies = 1; copies <= 3; ++copies) {
      const std::vector<std::uint32_t> counts(program_.threads.size(), copies);
      const Program instance = with_instances(program_, counts);
      if (instance.threads.size() > 4) break;
      if (explicit_answer(instance, model_).verdict == Verdict::kUnsafe)
        return fmt::format("any number: safe, but {} copies of each are not", copies);
    }
    return "";
  }

  const Program& program_;
  Model model_;
  DualComparisons& made_;
};

}  // namespace

std::string dual_disagreement(const Program& program, Model model, DualComparisons& made) {
  for (const Program& question : questions(program)) {
    std::string problem;
    try {
      problem = DualComparison(question, model, made).disagreement();
    } catch (const InternalError& error) {
      problem = error.what();
    }
    if (!problem.empty())
      return fmt::format("{} ({} goals, {} exclusive, {} invariants)", problem,
                         question.properties.goals.size(), question.properties.exclusive.size(),
                         question.properties.invariants.size());
  }
  return "";
}

std::string dual_disagreement(const Program& program, DualComparisons& made) {
  for (const Model model : {Model::kSc, Model::kTso})
    if (std::string problem = dual_disagreement(program, model, made); !problem.empty()) return problem;
  return "";
}

GeneratorShape dual_shape_for(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_threads = seed % 5 < 3 ? 3 : 2;
  shape.min_threads = seed % 7 == 0 ? 1 : 2;
  shape.max_instructions = static_cast<std::uint8_t>(4 + seed % 4);
  shape.loops = seed % 2 == 0;
  shape.assertions = seed % 3 == 0;
  shape.failures = seed % 11 == 0;
  shape.deadlocks = false;
  if (seed % 4 == 0) {
    shape.extra.waiting_loads = shape.extra.stops = shape.extra.self = shape.extra.dormant_threads = true;
    shape.extra.more_updates = shape.extra.constants = true;
    shape.extra.uninitialised = shape.extra.copies = seed % 8 == 0;
  }
  if (seed % 3 == 1) shape.choices = shape.calls = shape.nondeterminism = shape.assignments = false;
  return shape;
}

Genome dual_genome(std::uint64_t seed) { return random_genome(seed, dual_shape_for(seed)); }

}  // namespace weir::selfcheck
