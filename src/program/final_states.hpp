// Questions about the states in which an execution can end: which registers and cells are looked at, and a
// condition over them, as litmus tests ask it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace weir {

// A register of a thread's outermost function, or a cell of shared memory, where every thread has stopped.
struct ObservedPlace {
  std::string name;  // as the user wrote it: "0:EAX", "x", "t[1]"
  ThreadId thread;   // none: a cell
  RegisterId reg;
  Value address = 0;
  Type type = kInt64;     // in which its bits are read as a number
  bool addresses = true;  // the address of a variable is shown as its name

  bool is_register() const { return bool(thread); }
  friend bool operator==(const ObservedPlace&, const ObservedPlace&) = default;
};

// The state in which an execution ended: all registers, and every cell that is not 0, by address.
struct FinalState {
  std::vector<std::vector<Value>> registers;  // per thread
  std::vector<std::pair<Value, Value>> memory;

  friend auto operator<=>(const FinalState&, const FinalState&) = default;
};

Value value_of(const ObservedPlace& place, const FinalState& state);

// A condition over the values of observed places, which it names by their numbers.
struct FinalCondition {
  enum class Op : std::uint8_t { kTrue, kFalse, kIs, kSame, kNot, kAnd, kOr, kImplies };

  Op op = Op::kTrue;
  std::size_t place = 0, other = 0;  // kIs, kSame
  Value value = 0;                   // kIs
  std::vector<FinalCondition> parts;

  bool holds(std::span<const Value> values) const;
};

enum class Quantifier : std::uint8_t { kExists, kNotExists, kForAll };

const char* name(Quantifier quantifier);  // "exists", "~exists", "forall"

struct FinalQuestion {
  std::string name;                   // of the test
  std::vector<ObservedPlace> places;  // registers by thread and name, then cells
  Quantifier quantifier = Quantifier::kExists;
  FinalCondition condition;
  FinalCondition filter;  // a final state that does not satisfy it does not count

  // What the places hold in a final state.
  std::vector<Value> values(const FinalState& state) const;
  // The number of a place; it is added if it is new.
  std::size_t number_of(const ObservedPlace& place);
  // Brings the places into their order.
  void sort_places();
};

// The variable whose address this is.
std::optional<std::string> variable_at(const Program& program, Value value);

// A value as people write it: the name of a variable where it is the address of one.
std::string final_value_text(const Program& program, const ObservedPlace& place, Value value);

// "0:EAX=0 /\ [x]=1", as herd writes it.
std::string condition_text(const Program& program, const FinalQuestion& question,
                           const FinalCondition& condition);
// "exists (0:EAX=0 /\ [x]=1)"
std::string question_text(const Program& program, const FinalQuestion& question);
// "0:EAX", "[x]", "t[1]"
std::string herd_name(const ObservedPlace& place);

}  // namespace weir
