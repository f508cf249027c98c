// How Python waits for an answer: the question runs in a thread of its own, so that other Python threads go
// on meanwhile, Ctrl-C is heard, and progress is told.
#pragma once

#include <functional>
#include <optional>
#include <pybind11/pybind11.h>
#include <utility>

#include "weir/questions.hpp"

namespace weir::python {

// The options of every call.
struct Run {
  std::optional<double> timeout;        // seconds
  std::optional<std::uint64_t> memory;  // megabytes
  unsigned jobs = 1;
  pybind11::object progress = pybind11::none();  // called with a Progress
};

// Raises weir.Error.
[[noreturn]] void raise(const v1::Error& error);

// Calls `question` with the options of `run` and waits for it, without the interpreter lock. If a signal
// handler or the progress callback raises, the question is told to stop, and that is raised again.
void wait_for(const Run& run, const std::function<void(const v1::RunOptions&)>& question);

template <class T>
T value_or_raise(v1::Result<T> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

// Of a question that takes RunOptions and gives a Result.
template <class Ask>
auto answer(const Run& run, const Ask& ask) {
  std::optional<decltype(ask(v1::RunOptions{}))> result;
  wait_for(run, [&](const v1::RunOptions& options) { result.emplace(ask(options)); });
  return value_or_raise(std::move(*result));
}

}  // namespace weir::python
