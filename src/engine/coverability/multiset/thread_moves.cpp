#include "engine/coverability/multiset/thread_moves.hpp"

#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/failure.hpp"
#include "machine/evaluate.hpp"
#include "memory/shared_memory.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

// The entry for the cell, or where it belongs.
auto place_of(std::vector<CellValue>& values, std::uint16_t cell) {
  return std::ranges::lower_bound(values, cell, {}, &CellValue::cell);
}

std::optional<std::uint16_t> find(std::vector<CellValue>& values, std::uint16_t cell) {
  const auto at = place_of(values, cell);
  if (at == values.end() || at->cell != cell) return std::nullopt;
  return at->value;
}

void set(std::vector<CellValue>& values, CellValue entry) {
  const auto at = place_of(values, entry.cell);
  if (at != values.end() && at->cell == entry.cell)
    *at = entry;
  else
    values.insert(at, entry);
}

}  // namespace

// All ways through one block or section, each state and memory once.
class ThreadMoves::Section {
 public:
  Section(ThreadMoves& owner, Post from, std::uint32_t action)
      : owner_(owner), from_(from), code_(owner.code_of(from)), automaton_(owner.automaton(code_)) {
    const StateId state = owner.state(from);
    const Action begin = automaton_.actions(state)[action];
    locked_ = begin.kind == ActionKind::kLock;
    ways_.push_back({.state = state});
    extend(0, {state, action}, automaton_.successor(state, action));
  }

  void explore() {
    for (std::uint32_t w = 1; w < ways_.size(); ++w) {
      if (w > kMostWays) {
        owner_.obstacle_ = "an atomic block has too many ways through it";
        return;
      }
      const auto count = static_cast<std::uint32_t>(automaton_.actions(ways_[w].state).size());
      for (std::uint32_t i = 0; i < count; ++i) continue_by(w, i);
    }
  }

 private:
  void continue_by(std::uint32_t w, std::uint32_t number) {
    const StateId state = ways_[w].state;
    const Action action = automaton_.actions(state)[number];
    switch (action.kind) {
      case ActionKind::kHalt: return owner_.note_halt(action);
      case ActionKind::kLock: return;  // it is held already
      case ActionKind::kFail: return end(w, {state, number}, StateId::none());
      case ActionKind::kLoad:
      case ActionKind::kRmw: return access(w, number, action);
      case ActionKind::kStore: {
        const std::uint16_t cell = owner_.cell_numbers_.at(action.address);
        const std::uint16_t value = owner_.value_number(cell, action.value);
        if (value == kNoValue) return owner_.note_unknown(action.address, action.value);
        write_ = {{cell, value}};
        break;
      }
      case ActionKind::kUnlock:
      case ActionKind::kAtomicEnd:
        if ((action.kind == ActionKind::kUnlock) != locked_) break;
        return end(w, {state, number}, automaton_.successor(state, number));
      default: break;
    }
    extend(w, {state, number}, automaton_.successor(state, number));
  }

  void access(std::uint32_t w, std::uint32_t number, const Action& action) {
    const std::uint16_t cell = owner_.cell_numbers_.at(action.address);
    std::optional<std::uint16_t> known = find(ways_[w].update, cell);
    if (!known && owner_.owns(code_, cell)) known = owner_.own_value(from_, cell);
    if (!known) known = find(ways_[w].guard, cell);
    if (known) return access_value(w, number, action, {cell, *known}, false);
    for (std::uint16_t v = 0; v < owner_.cells_[cell].values.size(); ++v)
      access_value(w, number, action, {cell, v}, true);
  }

  void access_value(std::uint32_t w, std::uint32_t number, const Action& action, CellValue found,
                    bool guards) {
    const StateId state = ways_[w].state;
    const Value value = owner_.cells_[found.cell].values[found.value];
    const Value returned = returned_value(action, value);
    if (guards) guard_ = found;
    if (value == kUninitialised && !action.copies) return end(w, {state, number, returned}, StateId::none());
    if (!can_return(action, returned)) {
      guard_.reset();
      return;
    }
    if (action.kind == ActionKind::kRmw) {
      const std::uint16_t after = owner_.updated(action, found);
      if (after == kNoValue) {
        guard_.reset();
        return owner_.note_unknown(action.address, owner_.left_by(action, found));
      }
      if (owner_.cells_[found.cell].values[after] == kUninitialised)
        return end(w, {state, number, returned}, StateId::none());
      if (after != found.value) write_ = {{found.cell, after}};
    }
    extend(w, {state, number, returned}, automaton_.successor(state, number, returned));
  }

  Way next_way(std::uint32_t parent, AutomatonStep step, StateId state) {
    Way way{state, ways_[parent].guard, ways_[parent].update, parent, step};
    if (guard_) set(way.guard, *guard_);
    if (write_) set(way.update, *write_);
    guard_.reset();
    write_.reset();
    return way;
  }

  void extend(std::uint32_t parent, AutomatonStep step, StateId state) {
    Way way = next_way(parent, step, state);
    if (locked_) note_visible(state, way);
    std::vector<std::uint32_t> key{state.index(), static_cast<std::uint32_t>(way.guard.size())};
    for (const auto* part : {&way.guard, &way.update})
      for (const CellValue entry : *part) key.push_back(std::uint32_t{entry.cell} << 16 | entry.value);
    if (seen_.insert(std::move(key)).second) ways_.push_back(std::move(way));
  }

  // With a failure if there is no state after it.
  void end(std::uint32_t parent, AutomatonStep step, StateId after) {
    Way way = next_way(parent, step, after);
    ThreadMove move{.kind = MoveKind::kLocked,
                    .source = from_,
                    .target = after ? owner_.after(from_, after, way.update) : owner_.failed(code_),
                    .guard = std::move(way.guard),
                    .update = std::move(way.update)};
    move.steps.push_back(step);
    for (std::uint32_t w = parent; w != 0; w = ways_[w].parent) move.steps.push_back(ways_[w].step);
    std::ranges::reverse(move.steps);
    owner_.moves_.push_back(std::move(move));
  }

  // Properties can see a thread that stands inside a section, unlike one inside a block.
  void note_visible(StateId state, const Way& way) {
    owner_.has_section_[code_] = true;
    for (const CellValue x : way.update) owner_.written_in_section_[x.cell] = true;
    const LocationId location = automaton_.location(state);
    if (location && owner_.observed_[location.index()])
      owner_.obstacle_ = fmt::format("the property looks at {}, between lock and unlock",
                                     owner_.program_.location_name(location));
  }

  ThreadMoves& owner_;
  Post from_;
  std::uint32_t code_;
  ThreadAutomaton& automaton_;
  bool locked_ = false;
  std::vector<Way> ways_;
  absl::flat_hash_set<std::vector<std::uint32_t>> seen_;
  // Of the step being added.
  std::optional<CellValue> guard_, write_;
};

ThreadMoves::ThreadMoves(const Program& program, const ValueClosure& closure, const MoveOptions& options)
    : program_(program), closure_(closure), model_(options.model), observed_(program.locations.size()) {
  WEIR_CHECK(closure.closed(), "moves are those of closed threads");
  WEIR_CHECK(model_ == Model::kSc || model_ == Model::kTso, "buffers are in total order, or absent");
  for (const LocationId location : options.observed) observed_[location.index()] = true;
  number_cells();
  if (!obstacle_.empty()) return;
  find_owners(options);
  for (std::uint32_t code = 0; code < code_count(); ++code) add_moves(code);
  first_post_.push_back(static_cast<Post>(posts_.size()));
  index_moves();
}

void ThreadMoves::number_cells() {
  SharedMemory memory(program_);
  std::uint32_t values = 0;
  for (const Value address : closure_.addresses()) {
    if (cells_.size() >= 0x7FFF) {
      obstacle_ = "the program accesses too many cells of memory";
      return;
    }
    const auto number = static_cast<std::uint16_t>(cells_.size());
    cell_numbers_.emplace(address, number);
    cells_.push_back(
        {.address = address, .type = memory.type(memory.cell(address)), .values = closure_.values(address)});
    if (cells_.back().values.size() >= kNoValue) {
      obstacle_ = fmt::format("{} takes too many values", program_.address_name(address));
      return;
    }
    cells_.back().initial = value_number(number, memory.read_address(memory.initial(), address));
    WEIR_CHECK(cells_.back().initial != kNoValue, "a cell may hold its initial value");
    first_value_.push_back(values);
    values += static_cast<std::uint32_t>(cells_.back().values.size());
  }
  writers_.resize(values);
  written_in_section_.resize(cells_.size());
  has_section_.resize(closure_.threads().size());
}

void ThreadMoves::find_owners(const MoveOptions& options) {
  owner_.resize(cells_.size(), options.own_cells ? kConstant : kShared);
  for (std::uint32_t code = 0; code < code_count() && options.own_cells; ++code)
    for (std::size_t state = 0; state < closure_.threads()[code].state_count(); ++state)
      for (const Action& action : automaton(code).actions(StateId(state))) {
        if (action.kind != ActionKind::kStore && action.kind != ActionKind::kRmw) continue;
        std::uint32_t& owner = owner_[cell_numbers_.at(action.address)];
        owner = (owner == kConstant || owner == code) && options.single[code] ? code : kShared;
      }
  own_index_.resize(cells_.size());
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    if (owner_[cell] != kShared) own_index_[cell] = static_cast<std::uint16_t>(own_width_++);
}

std::uint16_t ThreadMoves::value_number(std::uint16_t cell, Value value) const {
  const std::vector<Value>& values = cells_[cell].values;
  const auto found = std::ranges::lower_bound(values, value);
  return found != values.end() && *found == value ? static_cast<std::uint16_t>(found - values.begin())
                                                  : kNoValue;
}

std::uint16_t ThreadMoves::updated(const Action& action, CellValue found) const {
  return value_number(found.cell, left_by(action, found));
}

Value ThreadMoves::left_by(const Action& action, CellValue found) const {
  const Value old = cells_[found.cell].values[found.value];
  if (action.rmw == RmwOp::kCompareExchange && old != action.expected) return old;
  return apply_rmw(action.rmw, old, action.value, cells_[found.cell].type);
}

void ThreadMoves::add_moves(std::uint32_t code) {
  OwnValues values(own_width_);
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    if (owner_[cell] != kShared) values[own_index_[cell]] = cells_[cell].initial;
  post_of_.clear();
  first_post_.push_back(static_cast<Post>(posts_.size()));
  const Post begin = find_or_add(code, StateId::none(), values);
  posts_.push_back({.code = code});  // failed
  moves_.push_back({.source = begin, .target = find_or_add(code, automaton(code).initial(), values)});
  for (Post post = begin + 2; post < posts_.size(); ++post) {
    const auto count = static_cast<std::uint32_t>(automaton(code).actions(state(post)).size());
    for (std::uint32_t i = 0; i < count; ++i) add_action(post, i);
  }
}

Post ThreadMoves::find_or_add(std::uint32_t code, StateId state, const OwnValues& values) {
  const auto [row, new_row] = own_rows_.try_emplace(values, static_cast<std::uint32_t>(own_rows_.size()));
  if (new_row) own_values_.insert(own_values_.end(), values.begin(), values.end());
  const auto [post, added] =
      post_of_.try_emplace({state.index(), row->second}, static_cast<Post>(posts_.size()));
  if (added) posts_.push_back({code, state, row->second});
  return post->second;
}

Post ThreadMoves::after(Post from, StateId state, std::span<const CellValue> update) {
  const auto row = own_values_.begin() + static_cast<std::ptrdiff_t>(posts_[from].own_values * own_width_);
  OwnValues values(row, row + static_cast<std::ptrdiff_t>(own_width_));
  for (const CellValue x : update)
    if (owner_[x.cell] == code_of(from)) values[own_index_[x.cell]] = x.value;
  return find_or_add(code_of(from), state, values);
}

void ThreadMoves::add_action(Post from, std::uint32_t number) {
  const std::uint32_t code = code_of(from);
  const StateId at = state(from);
  const Action action = automaton(code).actions(at)[number];
  ThreadMove move{.source = from, .steps = {{at, number}}};
  switch (action.kind) {
    case ActionKind::kLoad: return add_load(from, number, action);
    case ActionKind::kStore: return add_store(from, number, action);
    case ActionKind::kRmw: return add_rmw(from, number, action);
    case ActionKind::kLock:
    case ActionKind::kAtomicBegin: return Section(*this, from, number).explore();
    case ActionKind::kHalt: return note_halt(action);
    case ActionKind::kUnlock: return;  // never executable without the lock
    case ActionKind::kFail:
      move.kind = drains_to_fail(action) ? MoveKind::kLocked : MoveKind::kSilent;
      move.target = failed(code);
      moves_.push_back(std::move(move));
      return;
    case ActionKind::kFence:
      if (waits_for_empty_buffer(action.fence)) move.kind = MoveKind::kLocked;
      break;
    case ActionKind::kInternal: break;
    case ActionKind::kAtomicEnd:
    case ActionKind::kFree: WEIR_CHECK(false, "blocks are entered at their begin, and nothing is allocated");
  }
  move.target = after(from, automaton(code).successor(at, number));
  moves_.push_back(std::move(move));
}

// A move that reads, to be completed by what it reads.
void ThreadMoves::add_read(ThreadMove move, CellValue read) {
  if (owns(code_of(move.source), read.cell)) {
    move.kind = buffers_stores(model_) ? MoveKind::kSilent : MoveKind::kLocked;
  } else if (!buffers_stores(model_)) {
    move.kind = MoveKind::kLocked;
    move.guard = {read};
  } else {
    move.kind = MoveKind::kRead;
    move.access = read;
  }
  moves_.push_back(std::move(move));
}

void ThreadMoves::add_load(Post from, std::uint32_t number, const Action& action) {
  const std::uint32_t code = code_of(from);
  const std::uint16_t cell = cell_numbers_.at(action.address);
  for (std::uint16_t v = 0; v < cells_[cell].values.size(); ++v) {
    if (owns(code, cell) && own_value(from, cell) != v) continue;
    const Value value = cells_[cell].values[v];
    const Value returned = returned_value(action, value);
    ThreadMove move{.source = from, .target = failed(code), .steps = {{state(from), number, returned}}};
    if (value != kUninitialised || action.copies) {
      if (!can_return(action, returned)) continue;
      move.target = after(from, automaton(code).successor(state(from), number, returned));
    }
    add_read(std::move(move), {cell, v});
  }
}

void ThreadMoves::add_store(Post from, std::uint32_t number, const Action& action) {
  const std::uint16_t cell = cell_numbers_.at(action.address);
  const CellValue written{cell, value_number(cell, action.value)};
  if (written.value == kNoValue) return note_unknown(action.address, action.value);
  ThreadMove move{
      .source = from,
      .target = after(from, automaton(code_of(from)).successor(state(from), number), {&written, 1}),
      .steps = {{state(from), number}}};
  if (writes_at_once(model_, action.order)) {
    move.kind = MoveKind::kLocked;
    move.update = {written};
  } else {
    move.kind = MoveKind::kWrite;
    move.access = written;
  }
  moves_.push_back(std::move(move));
}

void ThreadMoves::add_rmw(Post from, std::uint32_t number, const Action& action) {
  const std::uint32_t code = code_of(from);
  const std::uint16_t cell = cell_numbers_.at(action.address);
  for (std::uint16_t v = 0; v < cells_[cell].values.size(); ++v) {
    const bool own = owns(code, cell);
    if (own && own_value(from, cell) != v) continue;
    const Value value = cells_[cell].values[v];
    const Value returned = returned_value(action, value);
    ThreadMove move{.kind = MoveKind::kLocked,
                    .source = from,
                    .target = failed(code),
                    .steps = {{state(from), number, returned}}};
    if (!own) move.guard = {{cell, v}};
    if (value != kUninitialised) {
      const std::uint16_t left = updated(action, {cell, v});
      if (left == kNoValue) {
        note_unknown(action.address, left_by(action, {cell, v}));
        continue;
      }
      if (cells_[cell].values[left] != kUninitialised) {
        if (left != v) move.update = {{cell, left}};
        move.target = after(from, automaton(code).successor(state(from), number, returned), move.update);
      }
    }
    moves_.push_back(std::move(move));
  }
}

void ThreadMoves::note_unknown(Value address, Value value) {
  left_range_ |= closure_.leaves_range(address, value);
}

void ThreadMoves::note_halt(const Action& action) {
  if (!gave_up_ && leaves_out(program_.edge(action.edge).instruction)) gave_up_ = action.edge;
}

void ThreadMoves::index_moves() {
  into_.resize(posts_.size());
  for (std::uint32_t m = 0; m < moves_.size(); ++m) {
    const ThreadMove& move = moves_[m];
    into_[move.target].push_back(m);
    const auto note = [&](CellValue written) {
      writers_[first_value_[written.cell] + written.value].push_back(m);
    };
    if (move.kind == MoveKind::kWrite) note(move.access);
    for (const CellValue written : move.update) note(written);
  }
}

}  // namespace weir
