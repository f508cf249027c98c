// Violations as other tools read them: SARIF 2.1.0, the exchange format for results of static analysis (OASIS
// standard, 2020). Code hosts show the results in reviews, editors step through the code flows and apply the
// fixes.
//
// One log is one run of weir. Every kind of violation is a rule. A result says where it happens; its related
// locations are what is to be seen together (both accesses of a race, the store and the load of an attack,
// all fences); a code flow is one execution, with a thread flow for each thread whose steps are numbered over
// all of them; fences are a fix, which inserts exactly what `weir fence --patch` does. A run without a
// violation has no results, and one without an answer a notification that says why.
//
// Paths are relative to the folder in which weir is called (%SRCROOT%), where they are inside of it. Columns
// count Unicode characters.
#pragma once

#include <string>
#include <vector>

#include "program/text/edit.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct SarifLocation {
  SourcePosition position;
  std::string message;
};

struct SarifStep {
  std::string thread;
  std::size_t number = 0;  // from 1, over all threads
  SarifLocation location;
};

struct SarifFix {
  std::string description;
  std::vector<FileEdits> files;
};

struct SarifResult {
  ViolationKind kind = ViolationKind::kAssertion;
  std::string message;
  SourcePosition position;  // unknown: the result is about the first file as a whole
  std::vector<SarifLocation> related;
  std::vector<std::vector<SarifStep>> executions;
  std::vector<SarifFix> fixes;
};

// A violation, where it is and how it happens.
SarifResult sarif_result(const Program& program, const Witness& witness);

struct SarifLog {
  const SourceMap& sources;
  const RunInfo& run;
  std::string verdict;  // "safe"
  std::string reason;   // unknown: why
  int exit_code = 0;
  std::vector<SarifResult> results;
};

std::string sarif_text(const SarifLog& log);

// The runs of several logs in one.
std::string merged_sarif(const std::vector<std::string>& logs);

}  // namespace weir
