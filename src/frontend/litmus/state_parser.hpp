// The parts of a litmus file that do not depend on the language of its code: the initial state and the
// question about final states.
#pragma once

#include <functional>

#include "frontend/litmus/syntax.hpp"
#include "program/final_states.hpp"

namespace weir::litmus {

// { x=0; 0:EAX=x; uint64_t y; }
std::vector<Declaration> parse_initial_state(TokenReader& tokens);

// Does the question start here, and not another line of code?
bool at_question(const TokenReader& tokens);

// Where the names in a condition are looked up. Both fail if there is no such place.
struct PlaceNames {
  std::function<ObservedPlace(std::size_t thread, const Name& name)> reg;
  std::function<ObservedPlace(const Name& name, std::optional<std::size_t> cell)> variable;
  std::function<std::optional<Value>(const std::string& name)> address;  // of a variable
};

// [ locations [places] ] [ filter condition ] exists|~exists|forall condition. The question's name is left.
void parse_question(TokenReader& tokens, const PlaceNames& names, FinalQuestion& question);

FinalCondition parse_condition(TokenReader& tokens, const PlaceNames& names, FinalQuestion& question);

}  // namespace weir::litmus
