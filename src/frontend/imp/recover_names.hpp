// Names for what a program calls by number: IMP names, labels, and the variables behind addresses.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

// Hands out names that are valid in IMP, each once.
class NamePool {
 public:
  NamePool() = default;
  explicit NamePool(std::set<std::string> taken) : taken_(std::move(taken)) {}

  // `wanted`, made valid and unique.
  std::string name(std::string_view wanted);
  // The same for labels, which may also be numbers.
  std::string label(std::string_view wanted);
  const std::set<std::string>& taken() const { return taken_; }

 private:
  std::string unique(const std::string& base);

  std::set<std::string> taken_;
};

// What an address means in IMP: a variable, and for an array the index.
struct SharedVariable {
  std::string name;
  bool is_array = false;
  Value offset = 0;  // the constant part of the index
  ExprId index;      // the rest, or none
};

// The shared variables of a program. Addresses without an object (open memory) become variables of their own.
class VariableNames {
 public:
  explicit VariableNames(const Program& program);

  // Nothing if the address cannot be named: it is computed, and not as an array and an index.
  std::optional<SharedVariable> find(ExprId address) const;
  std::vector<Variable> declarations() const;
  const std::set<std::string>& names() const { return pool_.taken(); }

 private:
  void visit_access(ExprId address);

  const Program& program_;
  NamePool pool_;
  std::vector<std::string> objects_;
  std::vector<bool> is_array_;
  std::map<Value, std::string> loose_;  // addresses without an object
};

}  // namespace weir::imp
