// Could a thread go on by itself? Taking the processor from such a thread is a preemption; any other may be
// left for free.
//
// A thread can go on if it has an instruction to execute, now or once its own buffer is empty, unless it only
// polls: running alone, it would execute instructions for ever and change nothing, neither memory nor its
// buffer. A thread that has stopped or waits cannot go on. Answers are remembered per component and memory.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <vector>

#include "engine/explicit/monitor.hpp"

namespace weir {

class Continuation {
 public:
  Continuation(System& system, Monitor& monitor)
      : system_(system), monitor_(monitor), known_(system.view_count()) {}

  // Unfolds components: steps obtained from their view before are stale afterwards.
  bool possible(std::size_t thread, ComponentId component, MemoryId memory);

 private:
  bool compute(std::size_t thread, ComponentId component, MemoryId memory);
  bool has_instruction(std::size_t thread, ComponentId component, MemoryId memory);
  bool polls(std::size_t thread, ComponentId component, MemoryId memory);
  bool visit_instructions(std::size_t thread, ComponentId component, MemoryId memory);

  System& system_;
  Monitor& monitor_;
  std::vector<absl::flat_hash_map<std::uint64_t, bool>> known_;  // per view, by component and memory

  // Of `polls`.
  absl::flat_hash_set<std::uint32_t> met_;
  std::vector<ComponentId> open_;
};

}  // namespace weir
