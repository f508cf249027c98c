// The answer of `fence` as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include "engine/robust/fences/fence.hpp"
#include "report/answer_report.hpp"
#include "report/sarif/sarif.hpp"

namespace weir {

struct FenceReport {
  const Program& program;
  const FenceAnswer& answer;  // its fences are validated, its witnesses confirmed
  const FenceOptions& options;
  std::string patch;       // the fences as a unified diff; empty if there is none
  std::string patch_file;  // where it went; empty if nowhere
  bool under_sc = false;   // impossible: the witness is an execution under SC
};

// Where one fence goes in the source; code that stands there several times has a place for each copy.
struct FencePlace {
  LocationId location;
  std::vector<std::string> threads;  // that pass it; the function where it is the outermost of none
  SourcePosition position;           // of what stands behind the fence
};
std::vector<FencePlace> places_of_fence(const Program& program, LocationId fence);

// What happens if this fence is left out of the set; empty if that is not known.
std::string without_fence(const FenceReport& report, LocationId fence);

// "2 fences make it robust against tso (cost 2)": one line with its end.
std::string fence_verdict_line(const FenceReport& report, const Presentation& presentation);

// The verdict, each fence with its place and what happens without it, the cost, and what to do next.
std::string fence_text(const FenceReport& report, const RunInfo& run, const Presentation& presentation);

// "weir fence a.c --patch | patch -p0"
std::string patch_line(const FenceReport& report, const RunInfo& run);

// The fences as a fix of what happens without them; or what no fence stops. None if nothing has to be fixed.
std::optional<SarifResult> fence_result(const FenceReport& report, const std::vector<FileEdits>& changes);

// The verdict of the program with the fences.
const char* verdict_name(const FenceReport& report);

std::string fence_json(const FenceReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
