// The answer about an execution that violates something, or about there being none: of `check` and of `replay`.
#pragma once

#include "report/answer_report.hpp"
#include "trace/replay_file.hpp"
#include "weir/report.hpp"
#include "weir/words.hpp"

namespace weir::v1 {

void answer_check(CheckAnswer& answer, weir::Program program, weir::Answer found, RunInfo run,
                  CSources sources, Call& call);

}  // namespace weir::v1
