// Messages about the user's input, located like a compiler's, and the result type of everything that can fail
// because of it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/source.hpp"

namespace weir {

enum class Severity { kError, kWarning, kNote };

const char* name(Severity severity);  // "error", …

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string message;
  SourcePosition position;
  std::string hint;  // what would work instead; may be empty
};

// "file:line:column: error: message", the source line, a caret, the hint. Long and unprintable source lines
// are shown as a readable window around the caret.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources);

// What a front end returns when it fails: the diagnostics, and the texts they point into.
struct InputError {
  SourceMap sources;
  std::vector<Diagnostic> diagnostics;
  std::string verbatim;  // what another program (a compiler) said about the input; shown first, as it is
};

// Either a value or the reasons why there is none. Bad input travels this way; exceptions are for bugs.
template <class T, class E = InputError>
class [[nodiscard]] Expected {
 public:
  Expected(T result) : content_(std::in_place_index<0>, std::move(result)) {}    // NOLINT: implicit by design
  Expected(E reasons) : content_(std::in_place_index<1>, std::move(reasons)) {}  // NOLINT: implicit by design

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    WEIR_CHECK(ok(), "value of a failed result");
    return std::get<0>(content_);
  }
  const T& value() const {
    WEIR_CHECK(ok(), "value of a failed result");
    return std::get<0>(content_);
  }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  const E& error() const {
    WEIR_CHECK(!ok(), "error of a successful result");
    return std::get<1>(content_);
  }
  E& error() {
    WEIR_CHECK(!ok(), "error of a successful result");
    return std::get<1>(content_);
  }

 private:
  std::variant<T, E> content_;
};

}  // namespace weir
