// The search for feasible attacks, breadth first or depth first. All attacks are looked for at once: the runs
// of the first phase, which are most of them, are common to all.
#pragma once

#include "base/context.hpp"
#include "engine/robust/attack_system.hpp"
#include "engine/state_table.hpp"

namespace weir {

struct FoundAttack {
  std::uint32_t attack = 0;  // index
  Witness witness;
  std::vector<EdgeId> path;  // of the attacker, from the store to the load
};

struct AttackStep {
  AttackMove move;  // by a thread of the program, symmetry undone
  StateId after;    // the local state of the thread afterwards
  MemoryId memory;  // before the step
};

class AttackSearch {
 public:
  // Everything passed must outlive the search.
  AttackSearch(const Program& program, const RobustOptions& options, const std::vector<Attack>& attacks,
               const std::vector<bool>& wanted, Context& context, bool tells_progress);

  // Until every wanted attack is decided; if they are not told apart, until the first success.
  void run();

  const std::vector<FoundAttack>& found() const { return found_; }
  // Was everything visited that had to be?
  bool complete() const;
  AttackSystem& system() { return system_; }
  std::uint64_t states() const { return table_.size(); }
  std::uint64_t transitions() const { return transitions_; }

 private:
  using Index = StateTable::Index;

  void breadth_first();
  void depth_first();
  bool finished() const;
  void tell_progress(std::size_t open);
  void expand(Index index);
  bool expand_local_mover(Index index);
  bool reach(const AttackSystem::Successor& successor, Index parent);
  Index insert(const AttackRow& row, Index parent);
  void record(Index success);
  EdgeId edge_of(const AttackStep& step);
  static void exchange(std::vector<AttackStep>& steps, std::size_t a, std::size_t b);

  std::vector<AttackStep> steps_to(Index index);

  const std::vector<Attack>& attacks_;
  const RobustOptions& options_;
  Context& context_;
  bool tells_progress_;
  AttackSystem system_;
  StateTable table_;
  AttackRow row_;   // being expanded
  AttackRow next_;  // being inserted
  std::vector<std::uint64_t> packed_;
  std::uint64_t transitions_ = 0;
  bool last_added_ = false;
  std::vector<Index> stack_;      // depth first: to be expanded
  std::vector<Index> successes_;  // of the state being expanded
  std::vector<FoundAttack> found_;
};

// The steps of an attack as an execution of the program.
Witness attack_witness(AttackSystem& system, const std::vector<AttackStep>& steps, bool triangular);

}  // namespace weir
