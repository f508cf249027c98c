// The threads of a certificate as automata: all that an instruction, an atomic block or a lock section can do
// from each local state, told values of the given sets. Computing this checks condition 1 of
// dual_certificate.hpp: whoever leads out of the local states or out of the sets is a mistake.
//
// What instructions mean is asked of the reference machine, one instruction at a time on an empty store
// buffer. A section between `lock` and `unlock` is one move, like an atomic block: others neither read nor
// write memory meanwhile, and it ends with an empty buffer. A way that gets stuck in a section keeps the lock
// for ever; what the others can still do they can also do if it had never begun.
//
// Under SC every access is a locked move: buffers are empty, and all acts on memory.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/dual/configuration.hpp"

namespace weir::certificates {

enum class MoveKind : std::uint8_t {
  kLocal,   // whatever buffer and memory contain
  kLoad,    // returns `value` of `address`: the newest own message, or the oldest of the buffer
  kStore,   // `address` := `value`, with an own message
  kLocked,  // needs an empty buffer; cells must contain `before`, and contain `after` afterwards
};

struct Move {
  MoveKind kind = MoveKind::kLocal;
  StateIndex from = 0;
  std::optional<StateIndex> to;  // none: it fails
  Value address = 0, value = 0;
  Cells before, after;

  friend auto operator<=>(const Move&, const Move&) = default;
};

class Threads {
 public:
  // The program must be one without calls, private memory and blocks. Both must outlive this.
  Threads(const Program& program, const DualCertificate& certificate);

  // What is wrong with local states and sets of values; empty if they are closed. All else needs this.
  const std::string& mistake() const { return mistake_; }

  const std::set<Move>& moves() const { return moves_; }
  // What the cell may hold.
  std::set<Value> values(Value address) const;
  // What own messages of threads with this code may contain, for each address that they can be for.
  const std::map<Value, std::set<Value>>& own_values(ThreadId code) const;
  // What is written between `lock` and `unlock`.
  const std::set<Value>& written_in_sections() const { return written_in_sections_; }

  // Threads with the same function and arguments are the same code: that of the first of them.
  ThreadId code_of(ThreadId thread) const { return codes_[thread.index()]; }
  ThreadId code_of(StateIndex state) const { return certificate_.states[state].thread; }
  // How many threads have it; nothing if any number.
  std::optional<std::size_t> count(ThreadId code) const;
  const std::vector<StateIndex>& states_of(ThreadId code) const { return states_of_[code.index()]; }
  std::optional<StateIndex> initial_state(ThreadId code) const;
  // The first thread of each code.
  std::vector<ThreadId> codes() const;

 private:
  class Unfolding;
  using Place = std::tuple<ThreadId, LocationId, std::vector<Value>>;

  void find_codes();
  void read_values();
  void read_states();
  void unfold();

  const Program& program_;
  const DualCertificate& certificate_;
  std::string mistake_;
  std::vector<ThreadId> codes_;  // of each thread
  std::vector<std::vector<StateIndex>> states_of_;
  std::map<Place, StateIndex> places_;
  std::set<Move> moves_;
  std::map<Value, std::set<Value>> values_;  // of cells that threads access
  std::vector<std::map<Value, std::set<Value>>> own_values_;
  std::set<Value> written_in_sections_;
};

}  // namespace weir::certificates
