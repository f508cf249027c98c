// What the parsers of litmus files produce and the others consume.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/litmus/lexer.hpp"
#include "program/value.hpp"

namespace weir::litmus {

inline constexpr Type kInt{32, true};

// A number, or the address of a variable.
struct InitialValue {
  std::string symbol;  // empty: a number
  Value number = 0;
  SourcePosition position;
};

// One entry of an initial state: "x=1", "uint64_t 1:rax", "int t[2]={1,2}", "0:EAX=x".
struct Declaration {
  std::optional<Type> type;           // as declared
  std::optional<std::size_t> thread;  // a register of this thread; none: a variable
  Name name;
  std::optional<std::size_t> cells;  // of an array
  std::vector<InitialValue> values;  // none: 0
};

// The type of that name in C; nothing if Weir has none for it. Words such as `volatile` and `atomic_` do not
// matter.
std::optional<Type> type_named(std::string_view word);
// A word that may stand before the name of a type, or alone means int: "unsigned", "const", "_Atomic".
bool is_type_qualifier(std::string_view word);

}  // namespace weir::litmus
