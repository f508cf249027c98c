// What a call gives back: a value, or why there is none. Nothing in this library throws, with one exception:
// asking a failed result for its value.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "weir/export.hpp"

namespace weir::v1 {

enum class Severity { kError, kWarning, kNote };

// A message about the input, with its place. Line and column count from 1; 0: not known.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string message;
  std::string hint;  // what would work instead; may be empty
  std::string file;  // empty: about no file
  unsigned line = 0, column = 0;
  std::string text;  // the whole message as a compiler prints it: place, line, caret, hint
};

enum class ErrorKind {
  kUsage,    // the question makes no sense: an option that does not go with another, or with the program
  kInput,    // the program cannot be read
  kStopped,  // the time was over, or a stop was asked for, before there was a program
  kInternal  // a mistake of Weir, or no memory left
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::vector<Diagnostic> diagnostics;  // at least one
  std::string text;                     // all of them, as a compiler prints them
};

// Of a failed result, when its value is asked for. `what()` is the error's text.
class WEIR_API NoValue : public std::runtime_error {
 public:
  explicit NoValue(const Error& error) : std::runtime_error(error.text) {}
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // These throw NoValue if there is none.
  T& value() & { return checked(), std::get<0>(content_); }
  const T& value() const& { return checked(), std::get<0>(content_); }
  T value() && { return checked(), std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Only of a failed result.
  const Error& error() const { return std::get<1>(content_); }

 private:
  void checked() const {
    if (!ok()) throw NoValue(error());
  }

  std::variant<T, Error> content_;
};

}  // namespace weir::v1
