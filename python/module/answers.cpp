// The answers as the library has them; python/weir/_answers.py wraps them for users.
#include <pybind11/stl.h>
#include <string>

#include "module.hpp"
#include "waiting.hpp"
#include "weir/answer.hpp"

namespace py = pybind11;
using namespace weir::v1;

namespace weir::python {

namespace {

py::dict figures_of(const Answer& answer) {
  py::dict figures;
  for (const Figure& figure : answer.figures) figures[py::str(figure.name)] = py::cast(figure.value);
  return figures;
}

py::dict bound_of(const Answer& answer) {
  py::dict bound;
  for (const Bound& reached : answer.bound) bound[py::str(reached.what)] = reached.reached;
  return bound;
}

std::optional<std::string> stopped(const Answer& answer) {
  if (answer.stopped == StopReason::kNone) return std::nullopt;
  return name(answer.stopped);
}

}  // namespace

void define_answers(py::module_& module) {
  py::class_<Answer>(module, "Answer")
      .def_property_readonly("verdict", [](const Answer& answer) { return name(answer.verdict); })
      .def_readonly("reason", &Answer::reason)
      .def_property_readonly("stopped", stopped)
      .def_property_readonly("bound", bound_of)
      .def_property_readonly("model", [](const Answer& answer) { return name(answer.model); })
      .def_readonly("engine", &Answer::engine)
      .def_readonly("assumptions", &Answer::assumptions)
      .def_readonly("warnings", &Answer::warnings)
      .def_property_readonly("figures", figures_of)
      .def_readonly("seconds", &Answer::seconds)
      .def("json", &Answer::json)
      .def("text", &Answer::text)
      .def("page", [](const Answer& answer) { return value_or_raise(answer.page()); })
      .def("replay_file", [](const Answer& answer) { return value_or_raise(answer.replay_file()); });

  py::class_<CheckAnswer, Answer>(module, "CheckAnswer")
      .def_readonly("execution", &CheckAnswer::execution)
      .def_readonly("threads", &CheckAnswer::threads)
      .def_readonly("processes", &CheckAnswer::processes)
      .def_readonly("certificate", &CheckAnswer::certificate)
      .def_readonly("no_certificate", &CheckAnswer::no_certificate);

  py::class_<RobustAnswer, Answer>(module, "RobustAnswer")
      .def_readonly("attacks", &RobustAnswer::attacks)
      .def_readonly("threads", &RobustAnswer::threads)
      .def_property_readonly("execution", [](const RobustAnswer& answer) -> std::optional<Execution> {
        const Attack* const attack = answer.attack();
        return attack == nullptr ? std::nullopt : attack->execution;
      });

  py::class_<FenceAnswer, Answer>(module, "FenceAnswer")
      .def_readonly("fences", &FenceAnswer::fences)
      .def_readonly("cost", &FenceAnswer::cost)
      .def_readonly("alternatives", &FenceAnswer::alternatives)
      .def_readonly("edits", &FenceAnswer::edits)
      .def_readonly("patch", &FenceAnswer::patch)
      .def_readonly("execution", &FenceAnswer::execution);

  py::class_<ExploreAnswer, Answer>(module, "ExploreAnswer")
      .def_readonly("executions", &ExploreAnswer::executions)
      .def_readonly("blocked", &ExploreAnswer::blocked)
      .def_readonly("cut", &ExploreAnswer::cut)
      .def_readonly("violating", &ExploreAnswer::violating)
      .def_readonly("estimate", &ExploreAnswer::estimate)
      .def_readonly("execution", &ExploreAnswer::execution);

  py::class_<OutcomesAnswer, Answer>(module, "OutcomesAnswer")
      .def_readonly("models", &OutcomesAnswer::models)
      .def_readonly("condition", &OutcomesAnswer::condition);

  py::class_<ConsistentAnswer, Answer>(module, "ConsistentAnswer")
      .def_readonly("steps", &ConsistentAnswer::steps)
      .def_readonly("cycle", &ConsistentAnswer::cycle);

  py::class_<FairAnswer, Answer>(module, "FairAnswer")
      .def_readonly("execution", &FairAnswer::execution)
      .def_readonly("winning", &FairAnswer::winning)
      .def_readonly("stem", &FairAnswer::stem)
      .def_readonly("loop", &FairAnswer::loop);
}

}  // namespace weir::python
