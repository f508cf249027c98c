// Keyword arguments: each is taken once, what nobody takes is a TypeError, and None leaves the library's default.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

#include "words.hpp"

namespace weir::python {

class Given {
 public:
  explicit Given(const pybind11::kwargs& arguments) : left_(pybind11::dict(**arguments)) {}

  template <class T>
  void take(const char* name, T& into) {
    const pybind11::object value = taken(name);
    if (value.is_none()) return;
    try {
      into = pybind11::cast<T>(value);
    } catch (const pybind11::cast_error&) {
      throw pybind11::type_error(std::string(name) + " cannot be " + std::string(pybind11::repr(value)));
    }
  }

  template <class Enum, class Into, std::size_t N>
  void take_word(const char* name, Into& into, const Words<Enum, N>& words) {
    std::optional<std::string> word;
    take(name, word);
    if (word) into = meaning(name, *word, words);
  }

  void nothing_is_left() const {
    for (const auto& [name, value] : left_)
      throw pybind11::type_error("there is no option " + std::string(pybind11::str(name)));
  }

 private:
  pybind11::object taken(const char* name) { return left_.attr("pop")(name, pybind11::none()); }

  pybind11::dict left_;
};

}  // namespace weir::python
