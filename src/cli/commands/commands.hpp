// The commands. Each takes its command line and the session it runs in, and returns the exit code.
#pragma once

#include <string>

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "program/program.hpp"

namespace weir::cli {

int run_check(const CommandLine& line, Session& session);
int run_robust(const CommandLine& line, Session& session);
int run_fence(const CommandLine& line, Session& session);
int run_replay(const CommandLine& line, Session& session);
int run_explain(const CommandLine& line, Session& session);
int run_convert(const CommandLine& line, Session& session);
int run_outcomes(const CommandLine& line, Session& session);
int run_consistent(const CommandLine& line, Session& session);
int run_explore(const CommandLine& line, Session& session);
int run_generate(const CommandLine& line, Session& session);
int run_fair(const CommandLine& line, Session& session);
int run_selfcheck(const CommandLine& line, Session& session);
int run_bench(const CommandLine& line, Session& session);
int run_doctor(const CommandLine& line, Session& session);

// `check` and `explain` for a program that is already loaded, or could not be.
int check_program(const CommandLine& line, Expected<Program> program, Session& session);
// `replay` and `explain` for a replay file whose text is already read.
int replay_text(const CommandLine& line, std::string text, Session& session);

// The version of this build.
std::string version();

}  // namespace weir::cli
