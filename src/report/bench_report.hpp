// The engines side by side: how long each takes for the same programs. As a table, as JSON, and as a plot.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/answer_report.hpp"

namespace weir {

// One program under one model by one engine.
struct BenchRun {
  std::string file, model, engine;
  std::string verdict;  // "safe", "unsafe", "unknown", "error"
  std::string detail;   // why it is unknown, or what is wrong; one line
  double seconds = 0;
  double processor_seconds = 0;

  bool decided() const { return verdict == "safe" || verdict == "unsafe"; }
};

struct BenchReport {
  std::vector<std::string> engines;  // the columns
  std::vector<BenchRun> runs;        // those of a program one after the other
};

// Two engines that contradict each other, in words; empty if there are none.
std::string contradiction(const BenchReport& report);

// How far `column`, which stands for auto, is from the best of the engines that are asked by themselves.
struct Distance {
  std::size_t decided_by_some = 0, decided = 0;  // programs that an engine decided, and auto of these
  std::size_t near = 0,
              close = 0;  // in 1.5 and in 3 times the best engine's time, and a tenth of a second more
  std::vector<const BenchRun*> far;  // the others
};
Distance distance_from_best(const BenchReport& report, std::string_view column);

// A line for each program and model with a cell for each engine, then how many each decided, and how fast.
std::string bench_text(const BenchReport& report);

std::string bench_json(const BenchReport& report, const RunInfo& run);

// For two engines a mark for each program that both were given, times against times; otherwise a curve for
// each engine: how many programs it decides if each may take so long.
std::string bench_svg(const BenchReport& report);

}  // namespace weir
