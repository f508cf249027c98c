// The questions. Each takes a program (or a text) and a struct of options, and gives an answer, or an error if
// there is nothing to answer. They may be called at the same time from several threads, about the same program
// or different ones; only `fair` takes turns, since the library for its decision diagrams is global.
//
//   auto program = weir::Program::load("dekker.c");
//   auto answer = weir::check(*program, {.model = weir::Model::kTso, .run = {.timeout = 10s}});
//   if (answer->verdict == weir::Verdict::kUnsafe) std::cout << answer->text();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/answer.hpp"
#include "weir/program.hpp"
#include "weir/run.hpp"

namespace weir::v1 {

// The version of the library: "0.9.1".
WEIR_API const char* version();

// What must hold besides what the program says itself.
struct Properties {
  std::vector<std::string> goal = {};        // "P0:cs": all of these together are not to be reached
  std::vector<std::string> exclusive = {};   // "cs" or "P0:cs, P1:cs": at most one thread is there
  std::vector<std::string> invariants = {};  // "x + y <= 1"
  std::optional<bool> deadlock = {};         // looked for or not; nothing: as the program has it
  bool races = false;
  bool leaks = false;
};

// Follow only executions in which the variable stays within these values.
struct Range {
  std::string variable;  // "x", "flag[1]"
  std::int64_t low = 0, high = 0;
};

// How far a search goes where there is no end.
struct Limits {
  std::vector<Range> ranges = {};
  std::optional<std::uint64_t> values = {};  // give up if a variable takes more different ones
  std::optional<std::uint32_t> buffer = {};  // at most so many stores in a thread's buffer
  std::uint64_t local_steps = 20'000'000;    // that a thread may execute without touching memory
};

// Some schedules by chance, instead of a search.
struct RandomSchedules {
  std::uint64_t schedules = 1000;
  std::uint64_t seed = 0;
  std::uint64_t most_steps = 20'000;  // of one schedule
};

// Is a violation reachable?
struct CheckOptions {
  std::optional<Model> model = {};  // nothing: sc; of an array system with weak variables tso
  std::string engine = "auto";      // explicit, lazy, abstraction, dual, smc; of array systems array
  std::uint32_t copies = 0;         // of each thread; of array systems processes; 0: as the program has them
  bool any_number = false;  // of copies, or of processes; array systems: unless `copies` says a number
  Properties properties = {};
  Limits limits = {};
  std::optional<RandomSchedules> random = {};
  std::optional<std::uint64_t> preemptions = {};  // only schedules with at most so many
  bool certificate = false;                       // if it is safe, a proof; takes much longer than the answer
  RunOptions run = {};
};
WEIR_API Result<CheckAnswer> check(const Program& program, const CheckOptions& options = {});

// Do store buffers (tso) add behaviour to sequential consistency?
struct RobustOptions {
  bool triangular = false;   // look for triangular races; having none is more than robustness needs
  bool all = false;          // decide every attack, instead of stopping at the first
  std::uint32_t copies = 0;  // as in CheckOptions
  bool any_number = false;
  Limits limits = {};
  RunOptions run = {};
};
WEIR_API Result<RobustAnswer> robust(const Program& program, const RobustOptions& options = {});

// Where do the cheapest fences go that make it robust, or safe?
enum class FencePurpose { kRobustness, kSafety };
struct FenceOptions {
  FencePurpose purpose = FencePurpose::kRobustness;
  Model model = Model::kTso;     // safety: under which it is to be safe
  bool triangular = false;       // robustness: leave no triangular race
  std::string cost = "size";     // "size", "frequency", or a file; docs/manual/fence.md
  std::size_t alternatives = 0;  // other sets of the same cost to look for
  Properties properties = {};
  Limits limits = {};
  RunOptions run = {};
};
WEIR_API Result<FenceAnswer> fence(const Program& program, const FenceOptions& options = {});

// How many executions are there, up to what counts as the same?
enum class Equivalence {
  kMazurkiewicz,
  kObservers,
  kReadsFrom,
  kDataCentric,
  kValueCentric,
  kReadsValueFrom
};
struct ExploreOptions {
  Model model = Model::kSc;
  Equivalence equivalence = Equivalence::kMazurkiewicz;
  std::string root = {};  // data- and value-centric: the root thread; empty: the first one created
  bool stop_at_violation = false;
  bool only_estimate = false;  // do not visit them, say about how many there are
  Limits limits = {};          // of these, local_steps
  RunOptions run = {};
};
WEIR_API Result<ExploreAnswer> explore(const Program& program, const ExploreOptions& options = {});

// What can variables hold when all threads have stopped?
struct OutcomesOptions {
  std::vector<Model> models = {Model::kSc};
  std::vector<std::string> show = {};  // variables; none: all. Of litmus tests also registers: "0:EAX"
  bool cross_check = false;            // compute the final states again, from axioms, and compare
  Limits limits = {};
  RunOptions run = {};
};
WEIR_API Result<OutcomesAnswer> outcomes(const Program& program, const OutcomesOptions& options = {});

// Is there an execution in which each read reads from the write it is said to? docs/consistency.md has the
// form of the input.
struct ConsistentOptions {
  Model model = Model::kSc;
  bool naive = false;   // try all prefixes: a baseline
  bool closure = true;  // first look for orders that every execution must have
  RunOptions run = {};
};
WEIR_API Result<ConsistentAnswer> consistent(const Input& instance, const ConsistentOptions& options = {});

// Is every request of a program granted in the end?
enum class Scheduler { kAny, kWeak, kStrong, kRandom };
struct FairOptions {
  Model model = Model::kSc;
  std::vector<std::string> request = {}, grant = {};  // "want", "P0:cs"
  Scheduler scheduler = Scheduler::kWeak;
  bool lazy_flushes = false;  // a store may stay in its buffer for ever
  Limits limits = {};         // of these, buffer (4 if not given) and local_steps
  RunOptions run = {};
};
WEIR_API Result<FairAnswer> fair(const Program& program, const FairOptions& options = {});

// Does a finite system (a file .aut or .tra) have a play that grants again and again what it requests again
// and again? Other inputs are files, too; docs/fairness.md has their forms.
struct FairSystemOptions {
  std::vector<std::string> pairs = {};  // "REQUEST=>GRANT": labels of states, actions, or *
  std::string pair_file = {};
  std::string automaton = {};               // instead of pairs: the plays that it accepts,
  bool negate = false;                      // … or rejects
  std::string labels = {};                  // of a .tra file; by default the .lab file beside it
  std::string random_vertices = {};         // where chance decides,
  std::optional<double> random_share = {};  // … or at how many of the states, chosen by the seed
  std::uint64_t seed = 0;
  RunOptions run = {};
};
WEIR_API Result<FairAnswer> fair_system(const std::string& file, const FairSystemOptions& options = {});

// Runs a saved execution again, step by step. An error says why it cannot be one.
struct ReplayOptions {
  RunOptions run = {};
};
WEIR_API Result<CheckAnswer> replay(const Input& file, const ReplayOptions& options = {});

}  // namespace weir::v1
