// Is an execution that goes round a loop for ever fair, and does it leave a request without a grant? Asked of
// the states of the reference machine along the witness.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/reference/machine.hpp"

namespace weir {

class StarvationCheck {
 public:
  // Both must outlive the check. The witness may be of any kind; only one with a Starvation is looked at.
  StarvationCheck(const ReferenceMachine& machine, const Witness& witness);

  // Called with the state before each step, in order; not inside atomic blocks.
  void before(std::size_t step, const ReferenceState& state);
  // Called with the state after the last step: what is wrong, if anything is.
  std::optional<std::string> mistake(const ReferenceState& last);

 private:
  using Queue = std::pair<ThreadId, Value>;  // a buffer; under PSO, its stores to one address

  void watch_request(const ReferenceState& state);
  void watch_loop(const ReferenceState& state);
  bool exists(const ThreadLocation& place) const;
  bool at(const ReferenceState& state, const std::vector<ThreadLocation>& places) const;
  Queue queue(ThreadId thread, Value address) const;
  std::optional<std::string> unfair_thread() const;
  std::optional<std::string> unfair_flush() const;

  const ReferenceMachine& machine_;
  const Witness& witness_;
  bool pending_ = false;  // requested, and not granted since
  bool granted_in_loop_ = false;
  std::optional<ReferenceState> loop_start_;
  std::vector<bool> always_enabled_, once_enabled_;  // per thread, in the states of the loop
  std::set<Queue> flushable_;
};

}  // namespace weir
