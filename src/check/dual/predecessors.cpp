#include "check/dual/predecessors.hpp"

#include <algorithm>

namespace weir::certificates {

namespace {

Cells written_by(const Move& move) {
  return move.kind == MoveKind::kStore ? Cells{{move.address, move.value}} : move.after;
}

// What memory contains before the move, if it contains `after` afterwards; nothing if that cannot be.
std::optional<Cells> memory_before(const Cells& after, const Move& move) {
  Cells before = after;
  for (const auto& [address, value] : written_by(move)) {
    const auto found = before.find(address);
    if (found == before.end()) continue;
    if (found->second != value) return std::nullopt;
    before.erase(found);
  }
  for (const auto& [address, value] : move.before)
    if (before.try_emplace(address, value).first->second != value) return std::nullopt;
  return before;
}

Configuration with_member(const Configuration& configuration, std::size_t thread, StateIndex state,
                          Buffer buffer) {
  Configuration changed = configuration;
  changed.threads[thread] = {.state = state, .buffer = std::move(buffer)};
  return changed;
}

Buffer behind(const Message& oldest, const Buffer& buffer) {
  Buffer longer{oldest};
  longer.insert(longer.end(), buffer.begin(), buffer.end());
  return longer;
}

}  // namespace

Predecessors::Predecessors(const Threads& threads, Model model) : threads_(threads), model_(model) {
  std::map<Value, std::set<Move>> writes;
  for (const Move& move : threads.moves()) {
    if (!move.to) continue;
    moves_to_[*move.to].push_back(&move);
    Move anywhere = move;
    anywhere.to.reset();
    for (const auto& [address, value] : written_by(move)) writes[address].insert(anywhere);
  }
  for (const auto& [address, moves] : writes) writes_of_[address].assign(moves.begin(), moves.end());
}

void Predecessors::of(const Configuration& configuration, const Visit& visit) const {
  for (std::size_t i = 0; i < configuration.threads.size(); ++i) {
    by_thread(configuration, i, visit);
    if (model_ == Model::kTso) by_memory(configuration, i, visit);
  }
  by_others(configuration, visit);
}

void Predecessors::by_thread(const Configuration& after, std::size_t thread, const Visit& visit) const {
  const Member& member = after.threads[thread];
  const auto found = moves_to_.find(member.state);
  if (found == moves_to_.end()) return;
  for (const Move* move : found->second) switch (move->kind) {
      case MoveKind::kLocal: visit(with_member(after, thread, move->from, member.buffer)); break;
      case MoveKind::kLoad: by_load(after, thread, *move, visit); break;
      case MoveKind::kStore: by_store(after, thread, *move, visit); break;
      case MoveKind::kLocked:
        if (!member.buffer.empty()) break;
        if (std::optional<Cells> memory = memory_before(after.memory, *move)) {
          Configuration before = with_member(after, thread, move->from, {});
          before.memory = std::move(*memory);
          visit(std::move(before));
        }
        break;
    }
}

// Returns the newest own message or, without one, the oldest of the buffer, which stays there.
void Predecessors::by_load(const Configuration& after, std::size_t thread, const Move& move,
                           const Visit& visit) const {
  Buffer buffer = after.threads[thread].buffer;
  const Message* own = own_message_in(buffer, move.address);
  if (own != nullptr) {
    const auto& possible = threads_.own_values(threads_.code_of(move.from)).at(move.address);
    if ((own->value && own->value != move.value) || !possible.contains(move.value)) return;
    buffer[static_cast<std::size_t>(own - buffer.data())].value = move.value;
    return visit(with_member(after, thread, move.from, std::move(buffer)));
  }
  const Message read{.address = move.address, .value = move.value, .own = false};
  const bool is_oldest = !buffer.empty() && !buffer.front().own && buffer.front().address == read.address &&
                         buffer.front().value == read.value;
  visit(with_member(after, thread, move.from, is_oldest ? buffer : behind(read, buffer)));
}

// The new own message is the newest of all. It may hide one for the same cell, anywhere in the buffer.
void Predecessors::by_store(const Configuration& after, std::size_t thread, const Move& move,
                            const Visit& visit) const {
  Buffer buffer = after.threads[thread].buffer;
  if (buffer.empty()) return;
  const Message newest = buffer.back();
  if (!newest.own || newest.address != move.address || (newest.value && newest.value != move.value)) return;
  std::optional<Cells> memory = memory_before(after.memory, move);
  if (!memory) return;
  buffer.pop_back();
  Configuration before = with_member(after, thread, move.from, buffer);
  before.memory = std::move(*memory);
  visit(before);
  for (std::size_t i = 0; i <= buffer.size(); ++i) {
    Buffer& hiding = before.threads[thread].buffer = buffer;
    hiding.insert(hiding.begin() + static_cast<std::ptrdiff_t>(i), own_message(move.address));
    visit(before);
  }
}

void Predecessors::by_memory(const Configuration& after, std::size_t thread, const Visit& visit) const {
  const auto& [state, buffer] = after.threads[thread];
  for (const auto& [address, values] : threads_.own_values(threads_.code_of(state)))  // deleted
    if (own_message_in(buffer, address) == nullptr)
      visit(with_member(after, thread, state, behind(own_message(address), buffer)));
  if (buffer.empty() || buffer.back().own) return;
  const Message& newest = buffer.back();  // appended
  Configuration before = with_member(after, thread, state, Buffer(buffer.begin(), buffer.end() - 1));
  if (before.memory.try_emplace(newest.address, *newest.value).first->second == *newest.value)
    visit(std::move(before));
}

void Predecessors::by_others(const Configuration& after, const Visit& visit) const {
  for (const auto& [mentioned, value] : after.memory) {
    const auto found = writes_of_.find(mentioned);
    if (found == writes_of_.end()) continue;
    for (const Move& move : found->second) {
      std::optional<Cells> memory = memory_before(after.memory, move);
      if (!memory) continue;
      const ThreadId code = threads_.code_of(move.from);
      const auto others = std::ranges::count_if(
          after.threads, [&](const Member& member) { return threads_.code_of(member.state) == code; });
      const std::optional<std::size_t> there = threads_.count(code);
      if (there && static_cast<std::size_t>(others) >= *there) continue;
      Configuration before{.memory = std::move(*memory), .threads = after.threads};
      before.threads.push_back({.state = move.from, .buffer = {}});
      visit(std::move(before));
    }
  }
}

}  // namespace weir::certificates
