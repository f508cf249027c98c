// The shared variables of a test. Their addresses are numbers that tests do not use otherwise, so that a
// value that is an address can be shown by the name of the variable.
#pragma once

#include <map>

#include "frontend/litmus/syntax.hpp"
#include "program/program.hpp"

namespace weir::litmus {

class Variables {
 public:
  // `types`: of those that the code tells, unless they are declared; all others have type `fallback`.
  Variables(Program& program, std::map<std::string, Type> types, Type fallback)
      : program_(program), types_(std::move(types)), fallback_(fallback) {}

  // With what the initial state says. Variables that are mentioned by others' values must be declared, or are
  // added as they are met.
  void declare(const std::vector<Declaration>& initial_state);

  // The variable; one that nobody declared starts with 0.
  const SharedObject& get(const Name& name);
  std::optional<Value> address(const std::string& name) const;
  // What an initial value stands for.
  Value value(const InitialValue& value);

 private:
  void set_values(const Declaration& declaration);
  ObjectId add(const Name& name, Type type, std::size_t cells);

  Program& program_;
  std::map<std::string, Type> types_;
  Type fallback_;
  std::map<std::string, ObjectId> objects_;
};

}  // namespace weir::litmus
