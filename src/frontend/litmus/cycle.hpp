// Litmus tests from cycles of relations, after diy [Alglave10].
//
// An edge leads from one access to the next: within a thread, to another variable or the same one, with a
// fence in between or not (PodWR, PosRR, MFencedWW); or from a write to a read of its value (Rf), to the next
// write (Co), from a read to the write after the one it read (Fr), in the same thread (i) or another (e). A
// cycle of edges is a test: its accesses in order are the threads' code, and its condition says that every
// relation is as the cycle wants it. If program order were kept, that would be impossible.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace weir::litmus {

struct CycleEdge {
  enum class Kind : std::uint8_t { kProgramOrder, kReadsFrom, kCoherence, kFromRead };
  enum class Fence : std::uint8_t { kNone, kFull, kStores };

  Kind kind = Kind::kProgramOrder;
  bool from_write = false, to_write = false;
  bool external = false;       // leads to another thread
  bool same = true;            // leads to the same variable
  Fence fence = Fence::kNone;  // kProgramOrder

  friend auto operator<=>(const CycleEdge&, const CycleEdge&) = default;
};

using Cycle = std::vector<CycleEdge>;

// "PodWR", "MFencesRR", "SFencedWW", "Rfe"
std::string name(const CycleEdge& edge);
// "PodWR Fre PodWR Fre"
std::string cycle_text(const Cycle& cycle);

// What a message can say about a text that is no cycle.
struct CycleMistake {
  std::string message, hint;
};

// The inverse; also understands Ws for Co. The cycle is one that a test can be made of.
Expected<Cycle, CycleMistake> parse_cycle(std::string_view text);

// The test, in the language X86.
std::string litmus_text(const Cycle& cycle, const std::string& test_name);

// "PodWR+Fre+PodWR+Fre": a name for a test, and for a file.
std::string test_name(const Cycle& cycle);

// Calls `visit` for every critical cycle of at most `size` edges, once for all its rotations, until it
// returns false. Critical: no two edges in a row could be replaced by one. So a thread visits no variable
// twice but by an internal relation, and relations that compose (Rf with Fr, Co with Co, Fr with Co) do not
// follow each other.
void for_each_cycle(std::size_t size, const std::function<bool(const Cycle&)>& visit);

}  // namespace weir::litmus
