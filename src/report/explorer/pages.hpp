// The explorer page of each kind of answer.
#pragma once

#include "report/array_report.hpp"
#include "report/consistency_report.hpp"
#include "report/explore_report.hpp"
#include "report/explorer/explorer.hpp"
#include "report/fence_report.hpp"
#include "report/outcomes_report.hpp"
#include "report/robust_report.hpp"

namespace weir {

// check, explain, replay, fair
ExplorerPage explorer_page(const Program& program, const Answer& answer, const RunInfo& run);
// Every attack that was found.
ExplorerPage explorer_page(const RobustReport& report, const RunInfo& run);
// The fences in the source, and what happens without each of them.
ExplorerPage explorer_page(const FenceReport& report, const RunInfo& run);
ExplorerPage explorer_page(const ExploreReport& report, const RunInfo& run);
// The executions that were asked for, or one for each outcome.
ExplorerPage explorer_page(const OutcomesReport& report, const RunInfo& run);
// The execution, or the cycle that there would have to be.
ExplorerPage explorer_page(const ConsistencyReport& report, const RunInfo& run);
// The run with as many processes as it takes.
ExplorerPage explorer_page(const array::ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run);

// Parts of pages.
std::vector<ExplorerFence> explorer_fences(const FenceReport& report);
void set_headline(ExplorerPage& page,
                  std::string verdict_line);  // "UNSAFE under tso: …": headline and message
void add_figures(ExplorerPage& page, const Statistics& statistics, const RunInfo& run);

}  // namespace weir
