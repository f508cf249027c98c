// The commands. Each takes its command line and returns the exit code.
#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "program/program.hpp"

namespace weir::cli {

int run_check(const CommandLine& line);
int run_robust(const CommandLine& line);
int run_fence(const CommandLine& line);
int run_replay(const CommandLine& line);
int run_explain(const CommandLine& line);
int run_convert(const CommandLine& line);
int run_outcomes(const CommandLine& line);
int run_consistent(const CommandLine& line);
int run_explore(const CommandLine& line);
int run_generate(const CommandLine& line);
int run_fair(const CommandLine& line);
int run_selfcheck(const CommandLine& line);
int run_bench(const CommandLine& line);
int run_doctor(const CommandLine& line);

// `check` and `explain` for a program that is already loaded, or could not be.
int check_program(const CommandLine& line, Expected<Program> program);
// `replay` and `explain` for a replay file whose text is already read.
int replay_text(const CommandLine& line, std::string text);

// The version of this build.
std::string version();

}  // namespace weir::cli
