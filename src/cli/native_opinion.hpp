// What --native asks for: the user's own program, run along an execution.
#pragma once

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "native/native.hpp"
#include "report/answer_report.hpp"

namespace weir::cli {

// How the C program of this command line is compiled; no files if it is none.
CSources c_sources(const CommandLine& line);

// If --native is given: runs the program, notes the outcome for the JSON answer, and returns it.
std::optional<native::Result> native_opinion(const Program& program, const Witness& witness,
                                             const CSources& sources, const Settings& settings, RunInfo& run,
                                             Session& session);

}  // namespace weir::cli
