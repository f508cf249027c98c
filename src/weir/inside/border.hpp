// The border of the library: inside, a call that cannot be answered ends by `Failed`, and mistakes of Weir by
// InternalError; outside, there is nothing but results.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "weir/result.hpp"

namespace weir::v1 {

struct Failed {
  Error error;
};

[[noreturn]] void fail(ErrorKind kind, std::string message, std::string hint = {});
[[noreturn]] void fail_usage(std::string message, std::string hint = {});
[[noreturn]] void fail_input(const InputError& problem);
[[noreturn]] void fail_input(const weir::Diagnostic& problem, const SourceMap& sources);

template <class T>
T unwrap(Expected<T> result) {
  if (!result.ok()) fail_input(result.error());
  return std::move(*result);
}

Diagnostic shown(const weir::Diagnostic& diagnostic, const SourceMap& sources);
void add_shown(std::vector<Diagnostic>& out, const std::vector<weir::Diagnostic>& all,
               const SourceMap& sources);

// What the exception that is being handled means to the caller.
Error error_of_exception();

// What `body` returns, or why it did not.
template <class Body>
auto at_border(Body&& body) -> Result<decltype(body())> {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return error_of_exception();
  }
}

}  // namespace weir::v1
