// The closed threads of a program, turned round: what leads into each local state. Backward searches walk
// these.
//
// A place where a thread may be between two moves is a *post*: a local state, or one of two that every code
// has besides: `start`, before the thread has done anything, which no move leads into, and `failed`, after an
// instruction that violates a property by being executed. A move touches memory in one of four ways. Whatever
// needs an empty buffer is a locked move: fence, sequential store, read-modify-write, atomic block, section
// between lock and unlock. Blocks and sections are one move for each way through them, which says what it
// must find in memory and what it leaves there; posts inside them do not exist.
//
// A cell that only one thread ever writes is that thread's own: it knows what it last stored there, and so
// its posts tell states apart by that too. Its loads of the cell are silent, since they can return nothing
// else, and whoever knows the post of the thread knows what the cell holds. A cell that nobody writes is
// everybody's own.
//
// Under SC there are no buffers: loads and stores are locked moves too.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/value_closure.hpp"
#include "program/model.hpp"

namespace weir {

using Post = std::uint32_t;  // counts over all codes

// Number of a cell, and of one of the values that it may hold.
struct CellValue {
  std::uint16_t cell = 0;
  std::uint16_t value = 0;

  friend auto operator<=>(const CellValue&, const CellValue&) = default;
};

struct ClosedCell {
  Value address = 0;
  Type type = kInt64;
  std::vector<Value> values;
  std::uint16_t initial = 0;  // number of the value that it holds at the start
};

enum class MoveKind : std::uint8_t { kSilent, kRead, kWrite, kLocked };

// One action of the automaton, with what it was told.
struct AutomatonStep {
  StateId state;
  std::uint32_t action = 0;
  Value returned = 0;
};

struct ThreadMove {
  MoveKind kind = MoveKind::kSilent;
  Post source = 0, target = 0;
  CellValue access;                      // read, write
  std::vector<CellValue> guard, update;  // locked: what must be in memory, what is there then; by cell
  std::vector<AutomatonStep> steps;  // empty for the move out of `start`; the last of a failing move fails
};

struct MoveOptions {
  Model model = Model::kTso;         // or kSc
  std::vector<bool> single;          // per code: just one thread runs it
  std::vector<LocationId> observed;  // locations that properties name
  bool own_cells = true;             // cells can be somebody's own
};

class ThreadMoves {
 public:
  // The closure must be closed. Both must outlive the moves.
  ThreadMoves(const Program& program, const ValueClosure& closure, const MoveOptions& options);

  // Why the moves do not tell all that the program can do; empty if they do.
  const std::string& obstacle() const { return obstacle_; }
  // Was a store left out because its value is outside its range?
  bool left_range() const { return left_range_; }
  // An instruction that may end the execution because what follows is left out; none if there is none.
  EdgeId gave_up() const { return gave_up_; }

  // Between lock and unlock a thread can be seen, but there are no posts: does a thread of this code go
  // there, and does one write this cell there?
  bool has_section(std::uint32_t code) const { return has_section_[code]; }
  bool written_in_section(std::uint16_t cell) const { return written_in_section_[cell]; }

  std::size_t code_count() const { return closure_.threads().size(); }
  std::size_t post_count() const { return posts_.size(); }
  // The posts of all codes in turn; those of one begin with these two.
  Post start(std::uint32_t code) const { return first_post_[code]; }
  Post failed(std::uint32_t code) const { return first_post_[code] + 1; }
  Post end(std::uint32_t code) const { return first_post_[code + 1]; }
  std::uint32_t code_of(Post post) const { return posts_[post].code; }
  bool is_start(Post post) const { return start(code_of(post)) == post; }
  // None for `start` and `failed`.
  StateId state(Post post) const { return posts_[post].state; }
  // Can a thread be there?
  bool exists(Post post) const { return is_start(post) || !into_[post].empty(); }

  static constexpr std::uint32_t kShared = 0xFFFFFFFF, kConstant = 0xFFFFFFFE;
  // The code that alone writes the cell; kShared if there are several, kConstant if there is none.
  std::uint32_t owner(std::uint16_t cell) const { return owner_[cell]; }
  // What a cell that belongs to the code holds when its thread is there; not for `failed`.
  std::uint16_t own_value(Post post, std::uint16_t cell) const {
    return own_values_[posts_[post].own_values * own_width_ + own_index_[cell]];
  }

  const std::vector<ThreadMove>& moves() const { return moves_; }
  const ThreadMove& move(std::uint32_t number) const { return moves_[number]; }
  // Numbers of the moves that lead there, and of those that leave this in memory.
  std::span<const std::uint32_t> into(Post post) const { return into_[post]; }
  std::span<const std::uint32_t> writers(CellValue written) const {
    return writers_[first_value_[written.cell] + written.value];
  }

  const std::vector<ClosedCell>& cells() const { return cells_; }
  const ValueClosure& closure() const { return closure_; }

 private:
  static constexpr std::size_t kMostWays = 200'000;
  static constexpr std::uint16_t kNoValue = 0xFFFF;

  struct PostInfo {
    std::uint32_t code = 0;
    StateId state;
    std::uint32_t own_values = 0;  // a row of `own_values_`
  };
  // What the thread last stored in its own cells.
  using OwnValues = std::vector<std::uint16_t>;

  // A way through a block or section, up to some point.
  struct Way {
    StateId state;
    std::vector<CellValue> guard, update;
    std::uint32_t parent = 0;
    AutomatonStep step;
  };
  class Section;

  void number_cells();
  void find_owners(const MoveOptions& options);
  void add_moves(std::uint32_t code);
  void add_action(Post from, std::uint32_t number);
  void add_load(Post from, std::uint32_t number, const Action& action);
  void add_store(Post from, std::uint32_t number, const Action& action);
  void add_rmw(Post from, std::uint32_t number, const Action& action);
  void add_read(ThreadMove move, CellValue read);
  // The post of the local state after a move that leaves this in memory.
  Post after(Post from, StateId state, std::span<const CellValue> update = {});
  Post find_or_add(std::uint32_t code, StateId state, const OwnValues& values);
  // Does the thread know what the cell holds?
  bool owns(std::uint32_t code, std::uint16_t cell) const {
    return owner_[cell] == code || owner_[cell] == kConstant;
  }
  void note_halt(const Action& action);
  // A value that the cell never holds: it is outside its range, or no execution comes so far.
  void note_unknown(Value address, Value value);
  void index_moves();
  std::uint16_t value_number(std::uint16_t cell, Value value) const;
  // What a read-modify-write leaves; kNoValue: a value that the cell never holds.
  std::uint16_t updated(const Action& action, CellValue found) const;
  Value left_by(const Action& action, CellValue found) const;
  ThreadAutomaton& automaton(std::uint32_t code) const { return *closure_.threads()[code].automaton; }

  const Program& program_;
  const ValueClosure& closure_;
  Model model_;
  std::vector<bool> observed_;  // per location
  std::string obstacle_;
  bool left_range_ = false;
  EdgeId gave_up_;
  std::vector<bool> has_section_;         // per code
  std::vector<bool> written_in_section_;  // per cell

  std::vector<ClosedCell> cells_;
  absl::flat_hash_map<Value, std::uint16_t> cell_numbers_;
  std::vector<std::uint32_t> first_value_;  // per cell: the values of all cells before it
  std::vector<std::uint32_t> owner_;        // per cell
  std::vector<std::uint16_t> own_index_;    // per cell: among those that are somebody's own
  std::size_t own_width_ = 0;               // how many these are
  std::vector<std::uint16_t> own_values_;
  absl::flat_hash_map<OwnValues, std::uint32_t> own_rows_;
  std::vector<Post> first_post_;  // per code, and the number of posts
  std::vector<PostInfo> posts_;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, Post>
      post_of_;  // of state and row, of one code
  std::vector<ThreadMove> moves_;
  std::vector<std::vector<std::uint32_t>> into_;
  std::vector<std::vector<std::uint32_t>> writers_;
};

}  // namespace weir
