// The words of the inside and those of the outside: models, places, executions, figures.
#pragma once

#include "base/statistics.hpp"
#include "engine/answer.hpp"
#include "program/model.hpp"
#include "program/value_limits.hpp"
#include "verify/properties.hpp"
#include "weir/inside/call.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

weir::Model inside(Model model);
Model outside(weir::Model model);
Verdict outside(weir::Verdict verdict);
ViolationKind outside(weir::ViolationKind kind);

Place place(const SourceMap& sources, SourcePosition position);
Execution execution(const weir::Program& program, const Witness& witness);
std::optional<Execution> execution(const weir::Program& program, const std::optional<Witness>& witness);
std::optional<ThreadCounts> counts(const std::optional<weir::ThreadCounts>& threads);

// Fails if there is no such variable. `values`: what holds if the caller says nothing.
ValueLimits value_limits(const weir::Program& program, const Limits& limits, ValueLimits values = {});
verify::PropertyRequest property_request(const Properties& properties);
// Fails if they do not fit the program.
void add_properties(weir::Program& program, const Properties& properties);

// What an engine said, in the part that all answers have.
struct Said {
  Verdict verdict;
  const std::string& reason;
  const std::vector<std::pair<std::string, std::string>>& bound;
  std::string engine;
  weir::Model model;
  const Statistics& statistics;
};
void tell(Answer& answer, const Said& said, Call& call);

}  // namespace weir::v1
