// The explicit engine: visits global states one by one and remembers them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "engine/answer.hpp"
#include "memory/buffer_abstraction.hpp"
#include "program/value_limits.hpp"

namespace weir {

enum class Search : std::uint8_t { kBreadthFirst, kDepthFirst };

// `none` and `local-first` see every instruction as a step, as the literature does. The others run on
// automata in which local runs are fused into the action before them.
enum class Reduction : std::uint8_t {
  kAuto,        // what is best in general: persistent
  kNone,        // every interleaving of every instruction
  kLocalFirst,  // a thread that takes a local step goes on alone until it takes one that is not local
  kPersistent,  // a thread that can only do local steps moves alone
  kDynamic,     // other threads move only where accesses met during the search conflict
  kCartesian,   // threads run as far as they stay independent of each other, then switch
};

const char* name(Reduction reduction);
std::optional<Reduction> parse_reduction(std::string_view text);

// What a complete exploration met: for outcomes, and in a form that can be compared with the reference
// machine. Registers are those of the outermost activation; with live variables forgotten, dead ones are 0.
struct ExplorationRecord {
  struct Terminal {
    std::vector<std::uint32_t> locations;         // per thread; the largest number if it is at none
    std::vector<std::vector<Value>> registers;    // per thread
    std::vector<std::pair<Value, Value>> memory;  // address and value of every cell that is not 0, in order
    friend auto operator<=>(const Terminal&, const Terminal&) = default;
  };
  using Memory = std::vector<std::pair<Value, Value>>;

  bool only_finals = false;         // leave out everything but the next four
  bool whole_finals = false;        // fill `final_states`, too
  bool complete = false;            // no execution was left out
  std::set<Memory> finals;          // memory where every thread has stopped
  std::set<Terminal> final_states;  // the states in which that is so
  std::uint64_t stuck = 0;          // states in which nothing can happen although some thread has not stopped
  std::set<Terminal> terminals;
  std::set<std::vector<std::pair<Value, Value>>> memories;       // of all visited states
  std::set<std::pair<ViolationKind, std::uint32_t>> violations;  // kind and property
};

struct ExplicitOptions {
  Model model = Model::kSc;
  Search search = Search::kBreadthFirst;
  Reduction reduction = Reduction::kAuto;
  bool symmetry = true;                    // threads with the same code are interchangeable
  bool live_variables = true;              // registers that will not be read again do not distinguish states
  std::optional<std::uint32_t> buffer;     // at most so many stores in a thread's buffer
  std::uint64_t local_steps = 20'000'000;  // instructions a thread may execute between two visible actions
  ValueLimits values;
  // Coarser buffers (TSO only). Safe is then a proof for TSO; a violation is a candidate, and its witness
  // tells what the threads do but has no flushes.
  std::optional<BufferAbstraction> abstraction;
  bool flush_early = true;  // where nobody can see when a store reaches memory, it does at once
  std::uint64_t minimise_effort =
      200'000;                          // states to meet in search of a witness with fewer context switches
  ExplorationRecord* record = nullptr;  // if set, violations do not end the exploration
  // If set, what is known is saved there now and then, and what was saved is where the search begins; not
  // with a record, nor with the reductions `dynamic` and `cartesian`.
  Checkpoint* checkpoint = nullptr;
};

// Is a violation of the program's properties (or a failing assertion) reachable? The witness is minimised but
// not yet replayed: that is the caller's duty.
Answer check_explicit(const Program& program, const ExplicitOptions& options, Context& context);

}  // namespace weir
