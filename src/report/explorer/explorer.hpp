// What the explorer page (web/) shows, as plain data: the question and its answer, the sources, and any
// number of executions, each step by step. Everything is already in words; the page adds up what the steps
// change, so that a state costs nothing until somebody looks at it. docs/explorer.md lists the fields of the
// JSON.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "check/happens_before.hpp"
#include "program/model.hpp"
#include "report/json/parts.hpp"

namespace weir {

// Of shared memory, as far as the execution touches it.
struct ExplorerCell {
  std::string name, initial;
  bool internal = false;  // belongs to a library that the user did not write
};

struct ExplorerStep {
  std::size_t number = 0;  // counts from 1, as in the explanation on the terminal
  std::size_t thread = 0;
  std::string action;  // as in the JSON answer
  std::string text;
  SourcePosition position;
  bool local = false;
  bool buffered = false;              // `value` enters the thread's buffer
  std::optional<std::size_t> store;   // a flush: the step, in this list, whose value it takes to memory
  std::optional<std::size_t> cell;    // what it is about
  std::string value;                  // read, or written
  std::optional<std::string> memory;  // what the cell holds from now on, if the step wrote it
  std::string reg, reg_value;         // the register that it sets
  std::string arrival;                // the label reached, if a property names it
};

// A vertex of the execution graph.
struct ExplorerEvent {
  std::size_t step = 0;                // in the list of steps
  std::optional<std::size_t> visible;  // the step at which it reaches memory; none: it never does
  std::size_t unit = 0;
  std::string label;  // "W x=1"
};

struct ExplorerEdge {
  std::size_t from = 0, to = 0;  // events
  const char* relation = "";     // "po", "rf", "co", "fr"
};

// What a thread would do next: one of two accesses that race, or what it waits for in vain.
struct ExplorerAccess {
  std::size_t thread = 0;
  std::string text;  // "writes ready"
  SourcePosition position;
};

struct ExplorerViolation {
  std::string kind, message;
  SourcePosition position;
  std::vector<ExplorerAccess> accesses;
};

struct ExplorerExecution {
  std::string title;
  Model model = Model::kSc;
  std::optional<ExplorerViolation> violation;
  std::vector<std::string> allowed_by;  // outcomes: the models that have it
  std::vector<ExplorerCell> cells;
  std::vector<ExplorerStep> steps;
  std::size_t left_out = 0;  // local steps that would make the page too large
  std::size_t skipped = 0;   // steps before the first one, for the same reason
  bool no_graph = false;     // it would be too large
  std::vector<ExplorerEvent> events;
  std::vector<ExplorerEdge> edges, global_order, cycle;
  std::optional<std::size_t> loop;  // the first of the steps that are repeated for ever
};

struct ExplorerFence {
  std::string threads;  // "P0, P1"
  std::string text;     // as the language writes it
  SourcePosition position;
  std::string without;  // what happens if it is left out
};

enum class ExplorerTone { kGood, kBad, kUnsure };

struct ExplorerPage {
  ExplorerTone tone = ExplorerTone::kUnsure;
  std::string headline;            // "UNSAFE under tso"
  std::string message;             // "mutual exclusion violated: …"
  std::vector<std::string> story;  // what went wrong, in a few sentences
  std::string engine;
  std::vector<std::pair<std::string, std::string>> figures;
  std::vector<std::string> next;  // commands to try
  SourceMap sources;
  std::vector<std::string> threads;
  std::vector<ExplorerExecution> executions;
  std::string nothing_to_show;  // why there are no executions
  std::vector<ExplorerFence> fences;
};

// A replayed execution. Of one with very many steps, those that no other thread could notice are left out.
ExplorerExecution explorer_execution(const Program& program, const Witness& witness, std::string title);

std::vector<ExplorerEdge> explorer_edges(const std::vector<HappensBeforeEdge>& edges);

Json explorer_json(const ExplorerPage& page, const RunInfo& run);

}  // namespace weir
