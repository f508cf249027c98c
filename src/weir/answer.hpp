// What is answered: plain values, one struct for each question, all on top of `Answer`. Every answer was
// confirmed: an execution that is shown was executed by a machine of its own, which shares no code with the
// search that found it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "weir/result.hpp"

namespace weir::v1 {

// Sequential consistency; total and partial store order.
enum class Model { kSc, kTso, kPso };

enum class Verdict {
  kUnknown,
  kSafe,
  kUnsafe,
  kRobust,
  kNotRobust,
  kConsistent,
  kInconsistent,
  kFair,
  kUnfair,
  kDone  // of questions that list: all was listed
};

// Why a call ended before it knew the answer.
enum class StopReason { kNone, kTimeout, kMemory, kCancelled };

enum class ViolationKind {
  kAssertion,
  kDeadlock,
  kRace,
  kMemory,
  kGoal,
  kForbidden,  // two threads where at most one may be
  kUnsafe,     // an invariant is false
  kRobustness,
  kTriangularRace,
  kStarvation
};

// The words of the command line and of JSON: "tso", "not-robust", "timeout", "assertion".
WEIR_API const char* name(Model model);
WEIR_API const char* name(Verdict verdict);
WEIR_API const char* name(StopReason reason);
WEIR_API const char* name(ViolationKind kind);

// Line and column count from 1; 0: not known.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

struct Violation {
  ViolationKind kind = ViolationKind::kAssertion;
  std::string message;
  Place place;
};

// Of an execution. A store that goes through a buffer is two: "store", and "flush" when memory gets it.
struct Step {
  std::string thread;
  std::string action;   // "load", "store", "flush", "rmw", "fence", … as in JSON
  std::string address;  // "x", "flag[1]"; empty: about no memory
  std::optional<std::int64_t>
      value;              // read, or written; 64 bits without a sign look negative if they are large
  std::string text;       // "read x = 0 (memory)"
  bool buffered = false;  // the value enters the thread's buffer
  bool local = false;     // nothing that another thread could notice
  Place place;
};

struct Execution {
  Model model = Model::kSc;
  Violation violation;
  std::vector<Step> steps;
  // For ever: the steps from here on are repeated, or, if there are none, nothing can happen any more.
  std::optional<std::size_t> loop;
};

// What a search reached before it gave up: "buffer", "4".
struct Bound {
  std::string what, reached;
};

// "states", 1234
struct Figure {
  std::string name;
  std::variant<std::uint64_t, double> value;
};

// How many copies of each thread a violation takes, if any number was asked about.
struct ThreadCounts {
  std::vector<std::pair<std::string, std::uint32_t>> counts;
  std::uint32_t total = 0;
  bool least = false;  // with fewer there is none
};

// What every answer has.
class WEIR_API Answer {
 public:
  Verdict verdict = Verdict::kUnknown;
  std::string reason;                      // one sentence: what was explored, what happens, or why not known
  StopReason stopped = StopReason::kNone;  // unknown: because the call was to end
  std::vector<Bound> bound;                // unknown: what was reached
  Model model = Model::kSc;
  std::string engine;                    // that found it
  std::vector<std::string> assumptions;  // what it takes for granted
  std::vector<Diagnostic> warnings;
  std::vector<Figure> figures;
  double seconds = 0;

  // What `weir … --json` prints. The names of options are those of the command line.
  std::string json() const;
  // What `weir …` prints on a terminal, without colours.
  std::string text() const;
  // A page for the browser that shows the answer step by step, and needs nothing else.
  Result<std::string> page() const;
  // The execution, for `replay` and for `weir replay` and `weir explain`. Fails if the answer shows none.
  Result<std::string> replay_file() const;

  struct Report;
  std::shared_ptr<const Report> report;  // what these four are made of
};

// safe, unsafe, unknown; of a replayed execution also not-robust, unfair.
class CheckAnswer : public Answer {
 public:
  std::optional<Execution> execution;      // of a violation
  std::optional<ThreadCounts> threads;     // of a violation, if any number was asked about
  std::optional<std::uint32_t> processes;  // array systems: of the instance that shows it
  std::string certificate;                 // safe, if one was asked for and found; checked
  std::string no_certificate;              // why there is none
};

enum class AttackVerdict { kPruned, kInfeasible, kFeasible, kUndecided };

// A thread delays a store past a later load.
struct Attack {
  std::string thread;
  Place store, load;
  AttackVerdict verdict = AttackVerdict::kUndecided;
  std::string text;                    // "thread P0 delays its store in line 3 past its load in line 4"
  std::optional<Execution> execution;  // feasible
};

// robust, not-robust, unknown
class RobustAnswer : public Answer {
 public:
  std::vector<Attack> attacks;          // every pair of a store and a later load of a thread
  std::optional<ThreadCounts> threads;  // not robust, if any number was asked about

  // The first attack that is possible; null if there is none.
  const Attack* attack() const {
    for (const Attack& candidate : attacks)
      if (candidate.execution) return &candidate;
    return nullptr;
  }
};

// One fence in the source. Code that is there once and runs in several threads needs it once.
struct Fence {
  std::vector<std::string> threads;  // that pass it
  std::string label;                 // of the location before which it stands
  Place place;                       // of what stands behind it
  std::string without;               // what happens if it is left out; empty: not known
};

// Replaces the bytes from `begin` up to `end`; inserts where the two are equal.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string replacement;
};

struct FileEdits {
  std::string file;
  std::vector<TextEdit> edits;  // all at once: positions are those in the unchanged text
  std::string before, after;    // the whole text
};

// Of the program with the fences: robust or safe; not-robust or unsafe if no fences help; unknown.
class FenceAnswer : public Answer {
 public:
  std::vector<Fence> fences;  // none: the program needs none
  double cost = 0;
  std::vector<std::vector<Fence>> alternatives;  // other sets of the same cost
  std::vector<FileEdits> edits;                  // to the user's files; the program with them was checked
  std::string patch;                             // the same as a unified diff
  std::optional<Execution> execution;            // that no fence stops
};

// done; unsafe if it was to stop at a violation and did; unknown if not all executions were visited.
class ExploreAnswer : public Answer {
 public:
  std::uint64_t executions = 0;    // in which every thread comes to its end, or to a violation
  std::uint64_t blocked = 0;       // in which a thread waits for what never comes
  std::uint64_t cut = 0;           // that were not followed to their ends
  std::uint64_t violating = 0;     // of all of these
  std::optional<double> estimate;  // of `executions`, if it was asked for, or if there was no time for all
  std::optional<Execution> execution;  // of the first violation
};

// The name of an observed place, and what it holds: a number, the name of a variable, or nothing.
using Outcome = std::map<std::string, std::variant<std::monostate, std::int64_t, std::uint64_t, std::string>>;

struct ModelOutcomes {
  Model model = Model::kSc;
  bool complete = false;  // none is missing
  std::vector<Outcome> outcomes;
  std::uint64_t stuck = 0;  // final states in which some thread waits for ever: no outcomes
  // Litmus tests: does the condition hold, and is what it describes seen "Never", "Sometimes" or "Always"?
  std::optional<bool> holds;
  std::string observation;
};

// done, unknown
class OutcomesAnswer : public Answer {
 public:
  std::vector<ModelOutcomes> models;
  std::string condition;  // litmus tests: "exists (0:EAX=0 /\ 1:EAX=0)"
};

// consistent, inconsistent, unknown
class ConsistentAnswer : public Answer {
 public:
  std::vector<Step> steps;  // of the execution
  // Inconsistent, mostly: what would have to come before what, in a circle; in words.
  std::vector<std::string> cycle;
};

// fair, unfair, unknown
class FairAnswer : public Answer {
 public:
  std::optional<Execution> execution;  // programs: for ever, and a request is not granted
  // Systems: which vertices win, and a fair play from the initial one, if that wins.
  std::vector<bool> winning;
  std::vector<std::uint32_t> stem, loop;
};

}  // namespace weir::v1
