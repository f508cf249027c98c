// The inputs of a suite and what is expected of them.
//
// An input says it itself, in comments among its first lines, in whatever way its language writes comments:
//
//   // expect: sc safe, tso unsafe assertion, pso unsafe     the verdict under each model, and the kind of
//   // expect: all safe                                       violation if it matters
//   // expect: error                                          it cannot be read
//   // options: --races -n 3                                  more options of weir check
//   // compiler: -DN=2                                        -D, -U, -I and -std= for the C compiler
//   // with: other.c                                          more C files of the same program, in the same
//                                                             folder
//
// A comment that says something else is the failure of its input, not of the suite.
//
// Litmus tests say it in their header, as in Expect=sc:Never tso:Sometimes. Or a manifest says it for all,
// with a line PATH: EXPECTATION for each, and goes before what the inputs say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/options/command_line.hpp"
#include "program/model.hpp"

namespace weir::cli {

struct Expectation {
  std::optional<Model> model;  // none: whatever model the input is checked under
  std::string verdict;         // as in SuiteRun
  std::string kind;            // of the violation; empty if any will do
};

struct SuiteInput {
  std::string file;
  bool litmus = false;
  std::vector<Expectation> expectations;
  std::vector<std::string> options;             // of weir
  std::vector<std::string> compiler_arguments;  // what follows --
  std::vector<std::string> companions;          // more files of the program
  std::string problem;  // what is wrong with what is said about it, located; then it is not to be run
};

// Those of the files and folders on the command line, folders with all that is in them, in the order of their
// paths. A mistake in the manifest that is about no input is one more input, with that problem.
Expected<std::vector<SuiteInput>> suite_inputs(const CommandLine& line);

}  // namespace weir::cli
