#include "module.hpp"

#include "weir/questions.hpp"

PYBIND11_MODULE(_weir, module) {
  module.doc() = "The library of Weir, for the package weir.";
  module.attr("version") = weir::v1::version();
  weir::python::define_values(module);
  weir::python::define_answers(module);
  weir::python::define_questions(module);
}
