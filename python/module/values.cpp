// What answers are made of. All of it is read only, and prints itself.
#include <pybind11/stl.h>
#include <string>

#include "module.hpp"
#include "weir/answer.hpp"
#include "weir/run.hpp"

namespace py = pybind11;
using namespace weir::v1;

namespace weir::python {

namespace {

std::string text_of(const Place& place) {
  std::string text = place.file;
  if (place.line != 0) text += ":" + std::to_string(place.line);
  if (place.line != 0 && place.column != 0) text += ":" + std::to_string(place.column);
  return text;
}

std::string shown(const char* type, const std::string& text) {
  return std::string("<") + type + " " + text + ">";
}

const char* word(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: break;
  }
  return "note";
}

const char* word(AttackVerdict verdict) {
  switch (verdict) {
    case AttackVerdict::kPruned: return "pruned";
    case AttackVerdict::kInfeasible: return "infeasible";
    case AttackVerdict::kFeasible: return "feasible";
    case AttackVerdict::kUndecided: break;
  }
  return "undecided";
}

}  // namespace

void define_values(py::module_& module) {
  py::class_<Place>(module, "Place", "A place in a file. Lines and columns count from 1; 0 is not known.")
      .def_readonly("file", &Place::file)
      .def_readonly("line", &Place::line)
      .def_readonly("column", &Place::column)
      .def("__str__", text_of)
      .def("__repr__", [](const Place& place) { return shown("Place", text_of(place)); });

  py::class_<Diagnostic>(module, "Diagnostic",
                         "A message about the input. As a string, it is what a compiler prints.")
      .def_property_readonly("severity", [](const Diagnostic& message) { return word(message.severity); })
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("hint", &Diagnostic::hint)
      .def_readonly("file", &Diagnostic::file)
      .def_readonly("line", &Diagnostic::line)
      .def_readonly("column", &Diagnostic::column)
      .def("__str__", [](const Diagnostic& message) { return message.text; })
      .def("__repr__", [](const Diagnostic& message) {
        const std::string place = text_of({message.file, message.line, message.column});
        return shown("Diagnostic", (place.empty() ? "" : place + ": ") + message.message);
      });

  py::class_<Violation>(module, "Violation", "What goes wrong, and where.")
      .def_property_readonly("kind", [](const Violation& violation) { return name(violation.kind); })
      .def_readonly("message", &Violation::message)
      .def_readonly("place", &Violation::place)
      .def("__str__", [](const Violation& violation) { return violation.message; })
      .def("__repr__", [](const Violation& violation) { return shown("Violation", violation.message); });

  py::class_<Step>(module, "Step",
                   "A step of an execution. A store that enters a buffer has a second one, its flush.")
      .def_readonly("thread", &Step::thread)
      .def_readonly("action", &Step::action)
      .def_readonly("address", &Step::address)
      .def_readonly("value", &Step::value)
      .def_readonly("text", &Step::text)
      .def_readonly("buffered", &Step::buffered)
      .def_readonly("local", &Step::local)
      .def_readonly("place", &Step::place)
      .def_property_readonly("file", [](const Step& step) { return step.place.file; })
      .def_property_readonly("line", [](const Step& step) { return step.place.line; })
      .def("__str__", [](const Step& step) { return step.thread + ": " + step.text; })
      .def("__repr__", [](const Step& step) { return shown("Step", step.thread + ": " + step.text); });

  py::class_<Execution>(module, "Execution", "An execution, with the violation that it ends in.")
      .def_property_readonly("model", [](const Execution& execution) { return name(execution.model); })
      .def_readonly("violation", &Execution::violation)
      .def_readonly("steps", &Execution::steps)
      .def_readonly("loop", &Execution::loop)
      .def("__len__", [](const Execution& execution) { return execution.steps.size(); })
      .def("__repr__", [](const Execution& execution) {
        return shown("Execution",
                     std::to_string(execution.steps.size()) + " steps: " + execution.violation.message);
      });

  py::class_<ThreadCounts>(module, "ThreadCounts", "How many copies of each thread a violation takes.")
      .def_readonly("counts", &ThreadCounts::counts)
      .def_readonly("total", &ThreadCounts::total)
      .def_readonly("least", &ThreadCounts::least)
      .def("__repr__",
           [](const ThreadCounts& threads) { return shown("ThreadCounts", std::to_string(threads.total)); });

  py::class_<Attack>(module, "Attack", "A thread delays a store past a later load.")
      .def_readonly("thread", &Attack::thread)
      .def_readonly("store", &Attack::store)
      .def_readonly("load", &Attack::load)
      .def_property_readonly("verdict", [](const Attack& attack) { return word(attack.verdict); })
      .def_readonly("execution", &Attack::execution)
      .def("__str__", [](const Attack& attack) { return attack.text; })
      .def("__repr__", [](const Attack& attack) { return shown("Attack", attack.text); });

  py::class_<Fence>(module, "Fence", "One fence in the source; it stands before what is at its place.")
      .def_readonly("threads", &Fence::threads)
      .def_readonly("label", &Fence::label)
      .def_readonly("place", &Fence::place)
      .def_readonly("without", &Fence::without)
      .def_property_readonly("file", [](const Fence& fence) { return fence.place.file; })
      .def_property_readonly("line", [](const Fence& fence) { return fence.place.line; })
      .def("__repr__", [](const Fence& fence) { return shown("Fence", "before " + text_of(fence.place)); });

  py::class_<FileEdits>(module, "FileEdits",
                        "What is to change in a file, with its whole text before and after.")
      .def_readonly("file", &FileEdits::file)
      .def_readonly("before", &FileEdits::before)
      .def_readonly("after", &FileEdits::after)
      .def("__repr__", [](const FileEdits& edits) { return shown("FileEdits", edits.file); });

  py::class_<ModelOutcomes>(module, "ModelOutcomes", "The final states under one memory model.")
      .def_property_readonly("model", [](const ModelOutcomes& outcomes) { return name(outcomes.model); })
      .def_readonly("complete", &ModelOutcomes::complete)
      .def_readonly("outcomes", &ModelOutcomes::outcomes)
      .def_readonly("stuck", &ModelOutcomes::stuck)
      .def_readonly("holds", &ModelOutcomes::holds)
      .def_readonly("observation", &ModelOutcomes::observation)
      .def("__repr__", [](const ModelOutcomes& outcomes) {
        return shown("ModelOutcomes", std::string(name(outcomes.model)) + ": " +
                                          std::to_string(outcomes.outcomes.size()) + " outcomes");
      });

  py::class_<Progress>(module, "Progress", "How far a question is.")
      .def_readonly("phase", &Progress::phase)
      .def_readonly("states", &Progress::states)
      .def_readonly("unit", &Progress::unit)
      .def_readonly("queue", &Progress::queue)
      .def_readonly("depth", &Progress::depth)
      .def_readonly("expected", &Progress::expected)
      .def_readonly("note", &Progress::note)
      .def_readonly("seconds", &Progress::seconds)
      .def("__repr__", [](const Progress& progress) {
        return shown("Progress",
                     progress.phase + ": " + std::to_string(progress.states) + " " + progress.unit);
      });
}

}  // namespace weir::python
