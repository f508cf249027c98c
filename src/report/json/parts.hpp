// The parts of which the JSON answers of all commands are made. The schema is frozen: fields may be added,
// but not renamed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/answer_report.hpp"
#include "report/text/parts.hpp"

namespace weir {

using Json = nlohmann::ordered_json;

// What every answer starts with.
struct AnswerHead {
  std::string_view engine, verdict;
  const std::string& reason;
  const Bound& bound;
  const Statistics& statistics;
};
Json answer_json(const AnswerHead& head, const RunInfo& run);

// Adds "file" and "line".
void add_position(Json& out, const Program& program, SourcePosition position);

Json violation_json(const Program& program, const Violation& violation);

Json threads_json(const ThreadCounts& threads);

// Local steps only if the presentation shows them.
Json witness_json(const Program& program, const Witness& witness, const Presentation& presentation);

// The edges of the shortest cycle of happens-before.
Json cycle_json(const Program& program, const Witness& witness);

// As text, with the end of the last line. Bytes that are not UTF-8 are replaced.
std::string dump(const Json& json);

}  // namespace weir
