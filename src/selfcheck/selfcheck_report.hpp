// The answer of `selfcheck` as a person reads it, as a program reads it in JSON, and the file with the
// program on which engines disagree.
#pragma once

#include <string>

#include "report/answer_report.hpp"
#include "selfcheck/selfcheck.hpp"

namespace weir::selfcheck {

struct SelfcheckReport {
  const SelfcheckResult& result;
  std::string file;  // with the disagreement; empty if there is none
};

// What was compared how often, and the disagreement; `quiet`: one line.
std::string selfcheck_text(const SelfcheckReport& report, const RunInfo& run, bool quiet);
// How long each comparison took, the longest first; processor time if there are no more searches than cores.
std::string selfcheck_times(const Ledger& ledger);
std::string selfcheck_json(const SelfcheckReport& report, const RunInfo& run);

// The program, with what is wrong and how to see it in comments before it.
std::string selfcheck_file(const Disagreement& disagreement);

}  // namespace weir::selfcheck
