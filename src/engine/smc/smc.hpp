// Stateless model checking: all executions of a program up to an equivalence, each visited once and none
// remembered.
//
// An execution is a graph: what each thread did in which order (program order), which write each read took
// its value from (reads-from), and in which order the writes to each cell reached memory (coherence). Two
// interleavings with the same graph differ in nothing that a thread can see.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "engine/answer.hpp"
#include "engine/smc/estimate.hpp"
#include "engine/smc/value_heuristics.hpp"
#include "program/model.hpp"
#include "program/value_limits.hpp"

namespace weir {

enum class Equivalence : std::uint8_t {
  kMazurkiewicz,  // program order, reads-from and coherence are the same
  kObservers,     // … coherence only as far as one of two writes is read
  kReadsFrom,     // … coherence not at all

  // Of these, at most one execution of each class is visited, and each state of each thread.
  kDataCentric,     // reads-from, and the order of the conflicting accesses of all threads but a root
  kValueCentric,    // the values read, that order, and whether a read of the root reads from the root
  kReadsValueFrom,  // the values read, and which reads depend on which
};

inline constexpr Equivalence kEquivalences[] = {Equivalence::kMazurkiewicz, Equivalence::kObservers,
                                                Equivalence::kReadsFrom,    Equivalence::kDataCentric,
                                                Equivalence::kValueCentric, Equivalence::kReadsValueFrom};

const char* name(Equivalence equivalence);
std::optional<Equivalence> parse_equivalence(std::string_view text);
bool looks_at_values(Equivalence equivalence);

// What an execution consists of, for tests: see execution_text.hpp. Equal texts mean equivalent executions.
using ExecutionSink = std::function<void(const std::string& execution)>;

struct SmcOptions {
  Model model = Model::kSc;
  Equivalence equivalence = Equivalence::kMazurkiewicz;
  std::optional<std::size_t> root;  // the root thread; none: the first one that is created
  ValueHeuristics heuristics;
  bool stop_at_violation = false;
  std::uint64_t local_steps = 20'000'000;  // instructions a thread may execute between two visible actions
  unsigned jobs = 1;                       // searches at the same time; the counts do not depend on it
  bool only_estimate = false;              // do not visit the executions, say how many there are, about
  std::chrono::milliseconds estimate_time{3000};  // at most, if there is an estimate then
  bool estimate_or_none = false;                  // after that time, even if there is none
  // dc, vc, rvf: asked now and then, with the executions visited so far; false ends the exploration.
  std::function<bool(std::uint64_t)> go_on;
  ExecutionSink executions;  // called for each complete execution, if set, by one search at a time
  // If set, what is known is saved there now and then, and what was saved is where the exploration begins.
  // How many jobs there are may change from run to run.
  Checkpoint* checkpoint = nullptr;
};

struct SmcAnswer {
  bool complete = false;                   // all executions were visited
  std::string reason;                      // if not: why
  StopReason stopped = StopReason::kNone;  // the limit that ended the exploration, if one did
  bool beyond_engine = false;              // there is something in the program that executions do not show
  std::vector<std::pair<std::string, std::string>> bound;
  std::uint64_t traces = 0;        // executions in which every thread comes to its end, or to a violation
  std::uint64_t blocked = 0;       // executions in which a thread waits for what never comes
  std::uint64_t cut = 0;           // neither: executions that were not followed to their ends
  std::uint64_t violating = 0;     // of the traces and blocked ones: with a violation
  std::optional<Witness> witness;  // of the first violation; to be replayed by the caller
  std::optional<ExecutionEstimate>
      estimate;  // of their number: if asked for, or if there was no time for all
  Statistics statistics;
  std::vector<Diagnostic> diagnostics;
};

SmcAnswer explore_executions(const Program& program, const SmcOptions& options, Context& context);

// Are there, by a quick estimate, fewer executions up to reads-from than that?
bool has_fewer_executions(const Program& program, SmcOptions options, std::uint64_t limit, Context& context);

// What keeps check_smc from answering, as in "smc does not look for goals"; empty if nothing does.
std::string smc_obstacle(const Program& program);

// Is a violation reachable? Looks for failing assertions, wrong memory accesses and deadlocks; the answer is
// unknown if the program states other properties. The witness is to be replayed by the caller. If the
// equivalence is reads-value-from, it is changed to reads-from as soon as that is estimated to have not many
// more executions than were visited; not if there are checkpoints.
Answer check_smc(const Program& program, SmcOptions options, Context& context);

}  // namespace weir
