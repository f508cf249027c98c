// The parts of the module _weir. What users see, with names and documentation, is the package weir in python/weir.
#pragma once

#include <pybind11/pybind11.h>

namespace weir::python {

void define_values(pybind11::module_& module);   // places, steps, fences, …
void define_answers(pybind11::module_& module);  // one class for each question
void define_questions(pybind11::module_& module);

}  // namespace weir::python
