// The inputs of a suite and what is expected of them.
//
// An input says it itself, in comments among its first lines, in whatever way its language writes comments:
//
//   // expect: sc safe, tso unsafe assertion, pso unsafe     the verdict under each model, and the kind of
//   // expect: all safe                                       violation if it matters
//   // expect: error                                          it cannot be read
//   // options: --races --invariant "x + y <= 1"              more options of weir check
//   // compiler: -DN=2                                        -D, -U, -I and -std= for the C compiler
//   // with: other.c                                          more C files of the same program, in the same
//                                                             folder
//
// A comment that says something else is the failure of its input, not of the suite.
//
// Litmus tests say it in their header, as in Expect=sc:Never tso:Sometimes. Or a manifest says it for all,
// with a line PATH: EXPECTATION for each, and goes before what the inputs say.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/model.hpp"

namespace weir::suite {

struct Expectation {
  std::optional<Model> model;  // none: whatever model the input is checked under
  std::string verdict;         // as in SuiteRun
  std::string kind;            // of the violation; empty if any will do
};

struct Input {
  std::string file;
  bool litmus = false;
  std::vector<Expectation> expectations;
  std::vector<std::string> options;             // of weir
  std::vector<std::string> compiler_arguments;  // what follows --
  std::vector<std::string> companions;          // more files of the program
  std::string problem;  // what is wrong with what is said about it, located; then it is not to be run
};

// Where the inputs are, and what is said about them elsewhere.
struct Places {
  std::vector<std::string> paths;  // files and folders
  std::optional<std::string> manifest;
  // What is wrong with the options that an input has so far. A suite does not know what options there are.
  std::function<std::optional<Diagnostic>(const Input&)> options_mistake;
};

// Folders with all that is in them, in the order of their paths. A mistake in the manifest that is about no
// input is one more input, with that problem.
Expected<std::vector<Input>> collect_inputs(const Places& places);

// The input and its companions.
std::vector<std::string> files_of(const std::vector<Input>& inputs);

}  // namespace weir::suite
