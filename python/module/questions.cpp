// The questions, with their options as keyword arguments. python/weir/_questions.py has the signatures, the defaults and
// the documentation; a name here is the name there.
#include "weir/questions.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "given.hpp"
#include "module.hpp"
#include "waiting.hpp"
#include "words.hpp"

namespace py = pybind11;
using namespace weir::v1;

namespace weir::python {

namespace {

using Bounds = std::pair<std::int64_t, std::int64_t>;

Run take_run(Given& given) {
  Run run;
  given.take("timeout", run.timeout);
  given.take("memory", run.memory);
  given.take("jobs", run.jobs);
  given.take("progress", run.progress);
  return run;
}

// Asks once all options were taken but those of every run, which come last.
template <class Options, class Question>
auto ask(Given& given, Options& options, const Question& question) {
  const Run run = take_run(given);
  given.nothing_is_left();
  return answer(run, [&](const RunOptions& how) {
    options.run = how;
    return question();
  });
}

void take_limits(Given& given, Limits& limits) {
  std::map<std::string, Bounds> ranges;
  given.take("range", ranges);
  for (const auto& [variable, bounds] : ranges)
    limits.ranges.push_back({variable, bounds.first, bounds.second});
  given.take("values", limits.values);
  given.take("buffer", limits.buffer);
  given.take("local_steps", limits.local_steps);
}

void take_properties(Given& given, Properties& properties) {
  given.take("goal", properties.goal);
  given.take("exclusive", properties.exclusive);
  given.take("invariant", properties.invariants);
  given.take("deadlock", properties.deadlock);
  given.take("races", properties.races);
  given.take("leaks", properties.leaks);
}

Input input(const std::string& name, const std::optional<std::string>& text) {
  return text ? Input::from_text(*text, name) : Input(name);
}

// `files` are pairs of a name and, perhaps, its text.
Program load(const std::vector<std::pair<std::string, std::optional<std::string>>>& files,
             const py::kwargs& arguments) {
  Given given(arguments);
  LoadOptions options;
  given.take("format", options.language);
  given.take("compiler_arguments", options.c.compiler_arguments);
  given.take("unroll", options.c.unroll);
  given.take("threads", options.c.threads);
  Bounds nondet{options.c.nondet_low, options.c.nondet_high};
  given.take("nondet_range", nondet);
  std::tie(options.c.nondet_low, options.c.nondet_high) = nondet;
  given.take("spurious_wakeups", options.c.spurious_wakeups);
  given.take("failing_malloc", options.c.failing_malloc);
  given.take("strict", options.c.strict);
  given.take_word("outside_range", options.fail_outside_range, kOutsideRange);
  std::vector<Input> inputs;
  for (const auto& [name, text] : files) inputs.push_back(input(name, text));
  return ask(given, options, [&] {
    return inputs.size() == 1 ? Program::load(inputs.front(), options)
                              : Program::load_together(inputs, options);
  });
}

CheckAnswer ask_check(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  CheckOptions options;
  given.take_word("model", options.model, kModels);
  given.take("engine", options.engine);
  given.take("copies", options.copies);
  given.take("any_number", options.any_number);
  given.take("bound_preemptions", options.preemptions);
  given.take("certificate", options.certificate);
  RandomSchedules random;
  std::optional<std::uint64_t> schedules;
  given.take("random", schedules);
  given.take("seed", random.seed);
  given.take("steps", random.most_steps);
  if (schedules) {
    random.schedules = *schedules;
    options.random = random;
  }
  take_properties(given, options.properties);
  take_limits(given, options.limits);
  return ask(given, options, [&] { return check(program, options); });
}

RobustAnswer ask_robust(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  RobustOptions options;
  given.take("triangular", options.triangular);
  given.take("all", options.all);
  given.take("copies", options.copies);
  given.take("any_number", options.any_number);
  take_limits(given, options.limits);
  return ask(given, options, [&] { return robust(program, options); });
}

FenceAnswer ask_fence(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  FenceOptions options;
  given.take_word("for_", options.purpose, kPurposes);
  given.take_word("model", options.model, kModels);
  given.take("triangular", options.triangular);
  given.take("cost", options.cost);
  given.take("alternatives", options.alternatives);
  take_properties(given, options.properties);
  take_limits(given, options.limits);
  return ask(given, options, [&] { return fence(program, options); });
}

ExploreAnswer ask_explore(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  ExploreOptions options;
  given.take_word("model", options.model, kModels);
  given.take_word("equivalence", options.equivalence, kEquivalences);
  given.take("root", options.root);
  given.take("stop", options.stop_at_violation);
  given.take("estimate", options.only_estimate);
  given.take("local_steps", options.limits.local_steps);
  return ask(given, options, [&] { return explore(program, options); });
}

OutcomesAnswer ask_outcomes(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  OutcomesOptions options;
  std::vector<std::string> models;
  given.take("model", models);
  options.models.clear();
  for (const std::string& model : models) options.models.push_back(meaning("model", model, kModels));
  given.take("show", options.show);
  given.take("cross_check", options.cross_check);
  take_limits(given, options.limits);
  return ask(given, options, [&] { return outcomes(program, options); });
}

ConsistentAnswer ask_consistent(const std::string& name, const std::optional<std::string>& text,
                                const py::kwargs& arguments) {
  Given given(arguments);
  ConsistentOptions options;
  given.take_word("model", options.model, kModels);
  given.take_word("algorithm", options.naive, kAlgorithms);
  given.take("closure", options.closure);
  return ask(given, options, [&] { return consistent(input(name, text), options); });
}

FairAnswer ask_fair(const Program& program, const py::kwargs& arguments) {
  Given given(arguments);
  FairOptions options;
  given.take_word("model", options.model, kModels);
  given.take("request", options.request);
  given.take("grant", options.grant);
  given.take_word("fairness", options.scheduler, kSchedulers);
  given.take("lazy_flushes", options.lazy_flushes);
  given.take("buffer", options.limits.buffer);
  given.take("local_steps", options.limits.local_steps);
  return ask(given, options, [&] { return fair(program, options); });
}

FairAnswer ask_fair_system(const std::string& file, const py::kwargs& arguments) {
  Given given(arguments);
  FairSystemOptions options;
  given.take("pair", options.pairs);
  given.take("pairs", options.pair_file);
  given.take("automaton", options.automaton);
  given.take("negate", options.negate);
  given.take("labels", options.labels);
  given.take("random", options.random_share);
  given.take("random_vertices", options.random_vertices);
  given.take("seed", options.seed);
  return ask(given, options, [&] { return fair_system(file, options); });
}

CheckAnswer ask_replay(const std::string& name, const std::optional<std::string>& text,
                       const py::kwargs& arguments) {
  Given given(arguments);
  ReplayOptions options;
  return ask(given, options, [&] { return replay(input(name, text), options); });
}

}  // namespace

void define_questions(py::module_& module) {
  py::class_<Program>(module, "Program", "A program to ask about; load() reads one. It never changes.")
      .def_property_readonly("language", &Program::language, "c, imp, rmm, …")
      .def_property_readonly("is_array_system", &Program::is_array_system,
                             "Of any number of processes (.cub).")
      .def_property_readonly("files", &Program::files, "Every file that it was made of; of C, headers too.")
      .def_property_readonly("threads", &Program::threads, "Their names.")
      .def_property_readonly("variables", &Program::variables, "The names of those that threads share.")
      .def_property_readonly("restrictions", &Program::restrictions,
                             "What it leaves out of what its author wrote; then it is never said to be safe.")
      .def(
          "text",
          [](const Program& program, const std::string& to) { return value_or_raise(program.text(to)); },
          py::arg("to") = "weir",
          "The program in another language: weir, imp, trencher, rmm, dot, promela, …")
      .def("__repr__", [](const Program& program) {
        const std::vector<std::string> files = program.files();
        return "<Program " + (files.empty() ? std::string() : files.front()) + " (" + program.language() +
               ")>";
      });
  module.def("load", load);
  module.def("check", ask_check);
  module.def("robust", ask_robust);
  module.def("fence", ask_fence);
  module.def("explore", ask_explore);
  module.def("outcomes", ask_outcomes);
  module.def("consistent", ask_consistent);
  module.def("fair", ask_fair);
  module.def("fair_system", ask_fair_system);
  module.def("replay", ask_replay);
}

}  // namespace weir::python
