// What a backward search of the dual semantics needs to begin: the threads as finite automata, what leads to
// each of their posts, what is bad, and how many threads there may be.
#pragma once

#include <optional>
#include <string>

#include "engine/coverability/dual/check.hpp"
#include "engine/coverability/dual/dual_tso.hpp"
#include "engine/coverability/dual/targets.hpp"
#include "engine/explicit/system.hpp"

namespace weir {

class DualQuestion {
 public:
  // `unfolding` says how threads are unfolded. All must outlive the question.
  DualQuestion(const Program& program, const DualOptions& options, const SystemOptions& unfolding,
               Context& context);

  // Why there is nothing to search; empty if there is something.
  const std::string& obstacle() const { return obstacle_; }
  const ThreadMoves& moves() const { return *moves_; }
  const DualTargets& bad() const { return bad_; }
  // At most so many threads in all.
  ThreadNumbers thread_numbers(std::uint32_t most_in_all = ThreadNumbers::kAny) const;

 private:
  std::optional<std::uint64_t> writes_at_most() const;
  void close_values(const SystemOptions& unfolding, Context& context);

  const Program& program_;
  const DualOptions& options_;
  std::string obstacle_;
  std::optional<ValueClosure> closure_;
  std::optional<ThreadMoves> moves_;
  DualTargets bad_;
};

}  // namespace weir
