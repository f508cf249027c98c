// Consistency verification, the part to use: is there an execution of the memory model in which each thread
// does what the instance says and each read reads from its source? A `Verifier` owns the memory that the
// algorithms work in, so that calling one of them thousands of times per second allocates nothing; it is
// not shared between threads.
#pragma once

#include "base/context.hpp"
#include "engine/consistency/closure.hpp"
#include "engine/consistency/good_writes_closure.hpp"
#include "engine/consistency/search.hpp"
#include "engine/consistency/verify_sc.hpp"
#include "program/model.hpp"

namespace weir::consistency {

enum class Algorithm : std::uint8_t {
  kVerify,  // VerifySC, VerifyTSO, VerifyPSO
  kNaive    // the baselines
};

enum class ClosureUse : std::uint8_t {
  kNever,
  kFirst,     // before the search: refutes most inconsistent instances at once, and explains why
  kWhenHard,  // after a short search without success: the fastest where most instances are consistent
};

struct VerifyOptions {
  Model model = Model::kSc;
  Algorithm algorithm = Algorithm::kVerify;
  ClosureUse closure = ClosureUse::kWhenHard;
};

// A step of a cycle of the closure: `from` must precede `to`.
struct CycleEdge {
  Step from, to;
  Reason reason;
  EventId read;  // the read that the reason speaks of; may be none
};

struct VerifyFigures {
  std::uint64_t prefixes = 0;  // explored by the search
  std::uint64_t edges = 0;     // that the closure added
  bool searched = false;       // was the search needed?
};

class Verifier {
 public:
  // The instance is complete; under TSO and PSO it has one source per read. Unknown only if the context asks
  // to stop.
  Outcome verify(const Instance& instance, const VerifyOptions& options, Context* context = nullptr);

  // After kConsistent: the execution. Under SC writes are one step. Valid until the next call.
  std::span<const Step> witness() const { return witness_; }

  // After kInconsistent, why, if something smaller than the failure of the whole search says it:
  // a read that cannot read its source whatever the other threads do,
  const std::optional<Contradiction>& contradiction() const { return contradiction_; }
  // a cycle of steps each of which must precede the next,
  std::vector<CycleEdge> cycle() const;
  // or a read for which no good-write is left (SC); none otherwise.
  EventId without_source() const { return without_source_; }

  const VerifyFigures& figures() const { return figures_; }

 private:
  Outcome verify_buffered(const Instance& instance, const VerifyOptions& options, Context* context);
  Outcome verify_sc(const Instance& instance, const VerifyOptions& options, Context* context);
  // Runs `search(budget)`, and `close()` before or in between, as the options say.
  template <class Close, class Search>
  Outcome decide(const VerifyOptions& options, Context* context, std::size_t events, Close&& close,
                 Search&& search);

  Layout layout_;
  ScLayout sc_layout_;
  Scratch scratch_;
  VerifySc verify_sc_;
  Closure closure_;
  GoodWritesClosure sc_closure_;
  std::span<const Step> witness_;
  std::optional<Contradiction> contradiction_;
  EventId without_source_;
  VerifyFigures figures_;
  Model model_ = Model::kSc;
  bool cyclic_ = false;
};

}  // namespace weir::consistency
