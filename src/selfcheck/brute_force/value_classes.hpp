// The classes of all maximal executions of a small program under the equivalences that look at values
// [Toman21, Sections 3.1, 4.1], from their definitions and by brute force: what engines are compared with.
// maximal_executions.hpp says what an execution is, how it ends and what its visible steps are; those that
// block are classes of their own. Two executions are equivalent if each thread takes the same visible steps
// (reads, writes, updates, choices, edges) with the same values and ends in the same way, and also
//
//   values            nothing else. Not in [Toman21]; the coarsest that tells all local states apart;
//   reads_value_from  the same reads are before the same reads in the causal order;
//   value_centric     that of reads_value_from; the same reads of the root thread read from a write of the
//                     root (the initial value is not one); and the leaves, which are the other threads,
//                     have the same order of conflicting steps: same cell, not both of them reads;
//   data_centric      each read reads from the same write, and the leaves have the same order as above.
//
// The causal order is the transitive closure of the order of each thread and of what each read reads from.
// All visible steps are in it; only pairs of reads are compared. An update is one step that is a read and a
// write: it comes after what it reads from, conflicts with every access of its cell, and is compared as a
// read. A compare-exchange that fails is a read. Steps of an atomic block are steps like others. Fences and
// the lock order nothing here, as they do not for reads-from. The mutexes of C programs are cells: each
// acquisition reads from the release before it, so that all of a mutex are in causal order, as in Section
// 4.4.
//
// Creating a thread and joining it are program order in [Toman21], but reads and writes of cells in C
// programs: with these reads, Figure 4.1 in C has 9 classes of reads_value_from. The sets named `open_…`
// compare the causal order of open reads only: those that do not read from the same write in all executions
// in which their thread has done the same before. The others still are in the causal order, as creating and
// joining are in [Toman21].
//
// TSO and PSO: [Toman21] defines the causal order for SC only. Here a read comes after the store it reads
// from, wherever its value came from, and the thread's order is that of its instructions. Its Section 2.3,
// read literally, says the same: the reads before a memory-write are those before the buffer-write. The
// equivalences with a root exist under SC only.
//
// What the text leaves open:
//   - Section 3.1 compares happens-before restricted to leaf steps, which includes order by way of the root;
//     Section 4.1 compares conflicting pairs, as we do. Figure 4.1 has 17 classes by the one and its 7 by the
//     other; by the one, value_centric is not as coarse as data_centric, against Figure 4.3.
//   - Figure 4.6 has two maximal traces that RVF-SMC visits, but three classes, as "Beyond RVF partitioning"
//     says. So the number of reads_value_from is an upper bound for an engine that works with good writes,
//     and that of `values` a lower one; such an engine must visit every class of `values`.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "selfcheck/brute_force/maximal_executions.hpp"

namespace weir::selfcheck {

// A text per class; two texts are equal exactly when the classes are.
struct ValueClassSets {
  std::set<std::string> values, reads_value_from, open_reads_value_from;
  std::set<std::string> value_centric, open_value_centric, data_centric;  // under TSO and PSO: empty
};

struct ValueClasses {
  bool too_large = false;  // see MaximalExecutions
  ValueClassSets proper;   // every thread has stopped, halted or failed, or is dormant
  ValueClassSets blocked;  // some thread waits for what never comes
  ValueClassSets failing;  // of these: those in which a thread fails
};

ValueClasses value_classes(const Program& program, Model model, ThreadId root,
                           const ExecutionLimits& limits = {});

class OpenReads {
 public:
  // All executions of a program.
  explicit OpenReads(const MaximalExecutions& executions);

  // `history` is that of one of them.
  bool contains(const History& history, const StepName& read) const;

 private:
  // The thread, and what it did before, without sources.
  using Place = std::pair<std::size_t, std::vector<VisibleStep>>;

  static Place place_of(const History& history, const StepName& read);

  std::map<Place, std::set<std::optional<StepName>>> sources_;
};

// The class of one execution, as a text. `only`: compare the causal order of these only. With a root: under
// SC.
std::string values_text(const History& history);
std::string reads_value_from_text(const History& history, const OpenReads* only = nullptr);
std::string value_centric_text(const History& history, ThreadId root, const OpenReads* only = nullptr);
std::string data_centric_text(const History& history, ThreadId root);

}  // namespace weir::selfcheck
