// The statements of one function: what recover.cpp needs for each process.
#pragma once

#include <map>
#include <set>

#include "frontend/imp/recover_names.hpp"
#include "frontend/imp/syntax.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::imp {

struct RecoveredFunction {
  std::vector<Statement> body;               // declarations of local variables first
  std::map<LocationId, std::string> labels;  // as printed
};

struct FunctionToRecover {
  const Program& program;
  FunctionId function;
  std::vector<Value> arguments;        // of the parameters
  bool own_number = false;             // the only parameter is written `me`
  const std::set<LocationId>& marked;  // locations that keep a label, or get one
  const VariableNames& variables;
  const LiveRegisters& live;
};

// What cannot be said is added to `problems`.
RecoveredFunction recover_function(const FunctionToRecover& wanted, Terms& terms,
                                   std::vector<Diagnostic>& problems);

}  // namespace weir::imp
