// What reports say about the question, in the words of the command line: its options in JSON, and those that a
// suggested command repeats.
#pragma once

#include <string>

#include "report/answer_report.hpp"
#include "weir/inside/call.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

// How the program was read is a part of every question about it.
RunInfo run_info(std::string command, const Program& program, weir::Model model, const RunOptions& run);
RunInfo run_info(std::string command, const Input& input, weir::Model model, const RunOptions& run);

void echo(RunInfo& info, std::string name, OptionValue value);
void echo_model(RunInfo& info);
void echo(RunInfo& info, const Properties& properties);
void echo(RunInfo& info, const Limits& limits);
// -n
void echo_copies(RunInfo& info, std::uint32_t copies, bool any_number);

// What it cost is known at the end.
void note_cost(RunInfo& info, Call& call);

}  // namespace weir::v1
