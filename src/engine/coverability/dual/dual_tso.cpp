#include "engine/coverability/dual/dual_tso.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace weir {

namespace {

auto own_for(const LoadBuffer& buffer, std::uint16_t cell) {
  return std::ranges::find_if(buffer, [&](Message m) { return m.is_own() && m.cell() == cell; });
}

bool same(const DualThread& a, const DualThread& b) { return a.post == b.post && a.buffer == b.buffer; }

}  // namespace

DualSystem::DualSystem(const ThreadMoves& moves, ThreadNumbers numbers, bool textbook)
    : moves_(moves),
      pending_(moves, !textbook),
      numbers_(std::move(numbers)),
      textbook_(textbook),
      local_only_(moves.post_count()) {
  for (Post post = 0; post < moves.post_count(); ++post) {
    if (moves.is_start(post)) continue;
    local_only_[post] = Locality::kLocal;
    for (const std::uint32_t m : moves.into(post)) {
      const ThreadMove& move = moves.move(m);
      if (move.kind == MoveKind::kSilent || move.kind == MoveKind::kRead) continue;
      const bool fence = move.kind == MoveKind::kLocked && move.guard.empty() && move.update.empty();
      local_only_[post] = std::min(local_only_[post], fence ? Locality::kIfEmpty : Locality::kNone);
    }
  }
}

// Propagating what memory holds at the start empties the buffers.
bool DualSystem::initial(const Configuration& c) const {
  const DualDraft draft = c.draft();
  const auto at_start = [&](CellValue x) { return moves_.cells()[x.cell].initial == x.value; };
  return std::ranges::all_of(draft.memory, at_start) &&
         std::ranges::all_of(draft.threads, [&](const DualThread& thread) {
           return moves_.is_start(thread.post) && std::ranges::all_of(thread.buffer, [&](Message m) {
                    return !m.is_own() && at_start(m.access());
                  });
         });
}

DualSystem::Followed DualSystem::follow(const DualDraft& from, Label label, std::uint32_t fresh) {
  Followed result;
  Label next = 0;
  fresh_ = fresh;
  offer(from, [&](const DualDraft& draft, const Undone& undone) {
    if (next++ == label) result = {draft, undone};
  });
  fresh_ = kNewThread;
  WEIR_CHECK(label < next, "a label is the number of a predecessor");
  return result;
}

void DualSystem::offer(DualDraft from, const Offer& sink) {
  if (!textbook_)
    for (std::size_t t = 0; t < from.threads.size(); ++t)
      if (is_local(from.threads[t])) return offer_thread(from, t, sink);
  for (std::size_t t = 0; t < from.threads.size(); ++t) {
    if (t > 0 && same(from.threads[t - 1], from.threads[t])) continue;
    offer_thread(from, t, sink);
    if (!textbook_) continue;
    offer_memory(from, t, sink);
    offer_dropped(from, t, sink);
  }
  offer_new_threads(from, sink);
}

void DualSystem::offer_thread(const DualDraft& from, std::size_t t, const Offer& sink) {
  for (const std::uint32_t m : moves_.into(from.threads[t].post)) switch (moves_.move(m).kind) {
      case MoveKind::kSilent: undo_silent(from, t, m, sink); break;
      case MoveKind::kRead: undo_read(from, t, m, sink); break;
      case MoveKind::kWrite: undo_write(from, t, m, sink); break;
      case MoveKind::kLocked: undo_locked(from, t, m, sink); break;
    }
}

void DualSystem::undo_silent(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink) {
  if (!possible(moves_.move(m).source, from.threads[t].buffer)) return;
  DualDraft draft = from;
  draft.threads[t].post = moves_.move(m).source;
  finish(draft, {from.threads[t].tag, m}, sink);
}

void DualSystem::undo_read(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink) {
  const ThreadMove& move = moves_.move(m);
  const CellValue read = move.access;
  const auto emit = [&](LoadBuffer buffer) {
    DualDraft draft = from;
    draft.threads[t].post = move.source;
    draft.threads[t].buffer = std::move(buffer);
    finish(draft, {from.threads[t].tag, m}, sink);
  };
  LoadBuffer buffer = from.threads[t].buffer;
  if (!possible(move.source, buffer)) return;
  if (const auto own = own_for(buffer, read.cell); own != buffer.end()) {
    if (!own->is_open() && own->value() != read.value) return;
    buffer[static_cast<std::size_t>(own - buffer.begin())] = Message::own(read.cell, read.value);
    return emit(std::move(buffer));
  }
  const auto from_buffer = [&](LoadBuffer with) {
    const Message message = Message::plain(read);
    if (with.empty() || with.front() != message) with.insert(with.begin(), message);
    emit(std::move(with));
  };
  if (textbook_) return from_buffer(std::move(buffer));
  for_each_older(move.source, buffer, [&](const LoadBuffer& with) {
    const auto own = own_for(with, read.cell);
    if (own == with.end()) return from_buffer(with);
    if (own != with.begin()) return;  // what is older could have been dropped before
    LoadBuffer known = with;
    known.front() = Message::own(read.cell, read.value);
    emit(std::move(known));
  });
}

void DualSystem::undo_write(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink) {
  const ThreadMove& move = moves_.move(m);
  const CellValue written = move.access;
  DualDraft draft = from;
  LoadBuffer& buffer = draft.threads[t].buffer;
  // What memory put there after the store.
  while (!textbook_ && !buffer.empty() && !buffer.back().is_own()) {
    if (!require(draft, buffer.back().access())) return;
    buffer.pop_back();
  }
  if (buffer.empty()) {
    if (textbook_) return;  // without a message there is nothing to undo
  } else {
    const Message newest = buffer.back();
    if (!newest.is_own() || newest.cell() != written.cell) return;
    if (!newest.is_open() && newest.value() != written.value) return;
    buffer.pop_back();
  }
  const auto emit = [&](const LoadBuffer& before) {
    if (!possible(move.source, before)) return;
    draft.threads[t].buffer = before;
    unwrite(draft, {&written, 1}, t, [&](DualDraft& unwritten) {
      unwritten.threads[t].post = move.source;
      finish(unwritten, {from.threads[t].tag, m}, sink);
    });
  };
  const LoadBuffer older = buffer;
  emit(older);
  // Or the store hid an older one to the same cell, which is somewhere between the messages.
  if (!pending_.may_pend(move.source, written.cell)) return;
  for (std::size_t i = textbook_ ? 0 : 1; i <= older.size(); ++i) {
    LoadBuffer with = older;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(i), Message::own(written.cell));
    emit(with);
  }
}

void DualSystem::undo_locked(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink) {
  const ThreadMove& move = moves_.move(m);
  DualDraft draft = from;
  if (textbook_ ? !draft.threads[t].buffer.empty() : !drain(draft, t)) return;
  for (const CellValue x : move.guard)
    if (std::ranges::find(move.update, x.cell, &CellValue::cell) == move.update.end() && !require(draft, x))
      return;
  unwrite(draft, move.update, t, [&](DualDraft& unwritten) {
    unwritten.threads[t].post = move.source;
    if (std::ranges::all_of(move.guard, [&](CellValue x) { return require(unwritten, x); }))
      finish(unwritten, {from.threads[t].tag, m}, sink);
  });
}

// The newest message comes from memory.
void DualSystem::offer_memory(const DualDraft& from, std::size_t t, const Offer& sink) {
  const LoadBuffer& buffer = from.threads[t].buffer;
  if (buffer.empty() || buffer.back().is_own()) return;
  DualDraft draft = from;
  if (!require(draft, buffer.back().access())) return;
  draft.threads[t].buffer.pop_back();
  finish(draft, {from.threads[t].tag, kNoMove}, sink);
}

// The oldest message was an own one, and was dropped.
void DualSystem::offer_dropped(const DualDraft& from, std::size_t t, const Offer& sink) {
  const DualThread& thread = from.threads[t];
  for (const std::uint16_t cell : pending_.cells(thread.post)) {
    if (!may_add_older(thread.post, thread.buffer, cell)) continue;
    DualDraft draft = from;
    draft.threads[t].buffer.insert(draft.threads[t].buffer.begin(), Message::own(cell));
    finish(draft, {thread.tag, kNoMove}, sink);
  }
}

// What somebody has left in memory, as far as the configuration knows: what memory must hold, and what
// buffers want to have from it.
absl::InlinedVector<CellValue, 8> DualSystem::wanted(const DualDraft& draft) const {
  absl::InlinedVector<CellValue, 8> result = draft.memory;
  if (textbook_) return result;
  for (const DualThread& thread : draft.threads)
    for (std::size_t i = thread.buffer.size(); i > 0 && !thread.buffer[i - 1].is_own(); --i) {
      const CellValue x = thread.buffer[i - 1].access();
      if (held(draft, x.cell) == DualDraft::kAnything && std::ranges::find(result, x) == result.end())
        result.push_back(x);
    }
  return result;
}

// A thread that is not mentioned leaves in memory what is wanted there.
void DualSystem::offer_new_threads(const DualDraft& from, const Offer& sink) {
  if (from.threads.size() >= numbers_.most_in_all) return;
  const auto all = wanted(from);
  const auto is_wanted = [&](CellValue x) { return std::ranges::find(all, x) != all.end(); };
  std::vector<std::uint32_t> present(moves_.code_count());
  for (const DualThread& thread : from.threads) ++present[moves_.code_of(thread.post)];
  for (const CellValue x : all)
    for (const std::uint32_t m : moves_.writers(x)) {
      const ThreadMove& move = moves_.move(m);
      const std::uint32_t code = moves_.code_of(move.source);
      if (present[code] >= numbers_.most[code]) continue;
      // A move that leaves several wanted values is tried once.
      if (move.kind == MoveKind::kLocked && *std::ranges::find_if(move.update, is_wanted) != x) continue;
      add_thread(from, m, sink);
    }
}

void DualSystem::add_thread(const DualDraft& from, std::uint32_t m, const Offer& sink) {
  const ThreadMove& move = moves_.move(m);
  DualDraft with = from;
  with.threads.emplace_back();
  with.threads.back().post = move.target;
  with.threads.back().tag = fresh_;
  if (!use_knowledge(with)) return;  // the thread is where memory holds something else
  const std::size_t t = with.threads.size() - 1;
  if (move.kind == MoveKind::kLocked) return undo_locked(with, t, m, sink);
  if (!textbook_) return undo_write(with, t, m, sink);
  // Whatever the buffer was before, nobody cares for it after.
  for_each_older(move.source, {}, [&](const LoadBuffer& buffer) {
    unwrite(with, {&move.access, 1}, t, [&](DualDraft& draft) {
      draft.threads[t].post = move.source;
      draft.threads[t].buffer = buffer;
      finish(draft, {fresh_, m}, sink);
    });
  });
}

bool DualSystem::may_add_older(Post post, const LoadBuffer& buffer, std::uint16_t cell) const {
  return std::ranges::none_of(buffer, [&](Message m) {
    return m.is_own() && (m.cell() == cell || !pending_.may_be_older(post, cell, m.cell()));
  });
}

template <class Visit>
void DualSystem::for_each_older(Post post, const LoadBuffer& buffer, const Visit& visit) const {
  visit(buffer);
  for (const std::uint16_t cell : pending_.cells(post)) {
    if (!may_add_older(post, buffer, cell)) continue;
    LoadBuffer with = buffer;
    with.insert(with.begin(), Message::own(cell));
    for_each_older(post, with, visit);
  }
}

bool DualSystem::possible(Post post, const LoadBuffer& buffer) const {
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    if (!buffer[i].is_own()) continue;
    if (!pending_.may_pend(post, buffer[i].cell())) return false;
    for (std::size_t j = i + 1; j < buffer.size(); ++j)
      if (buffer[j].is_own() && !pending_.may_be_older(post, buffer[i].cell(), buffer[j].cell()))
        return false;
  }
  return true;
}

// Memory held all that the thread still wants to read; there are no own messages.
bool DualSystem::drain(DualDraft& draft, std::size_t t) const {
  LoadBuffer& buffer = draft.threads[t].buffer;
  for (const Message message : buffer)
    if (message.is_own() || !require(draft, message.access())) return false;
  buffer.clear();
  return true;
}

// What memory holds, as far as it is known: because it must, or because the thread that alone writes the cell
// is known to be at a post.
std::uint16_t DualSystem::held(const DualDraft& draft, std::uint16_t cell) const {
  const std::uint32_t owner = moves_.owner(cell);
  if (owner == ThreadMoves::kShared) return draft.held(cell);
  if (owner == ThreadMoves::kConstant) return moves_.cells()[cell].initial;
  for (const DualThread& thread : draft.threads)
    if (moves_.code_of(thread.post) == owner && thread.post != moves_.failed(owner))
      return moves_.own_value(thread.post, cell);
  return draft.held(cell);
}

bool DualSystem::require(DualDraft& draft, CellValue wanted) const {
  const std::uint16_t now = held(draft, wanted.cell);
  return now == DualDraft::kAnything ? draft.require(wanted) : now == wanted.value;
}

// Drops what is known anyway. False if what is known is not what must be.
bool DualSystem::use_knowledge(DualDraft& draft) const {
  for (std::size_t i = 0; i < draft.memory.size();) {
    const CellValue must = draft.memory[i];
    if (moves_.owner(must.cell) == ThreadMoves::kShared) {
      ++i;
      continue;
    }
    draft.forget(must.cell);
    const std::uint16_t now = held(draft, must.cell);
    if (now == DualDraft::kAnything)
      draft.require(must), ++i;
    else if (now != must.value)
      return false;
  }
  return true;
}

// Takes from the buffers what memory is known to hold.
void DualSystem::settle(DualDraft& draft) const {
  for (DualThread& thread : draft.threads)
    while (!thread.buffer.empty() && !thread.buffer.back().is_own() &&
           held(draft, thread.buffer.back().cell()) == thread.buffer.back().value())
      thread.buffer.pop_back();
}

// Undoes what a move of the thread left in memory: it held these values, and may have held anything before.
// What others want of them is taken from their buffers, with everything newer.
void DualSystem::unwrite(DualDraft draft, std::span<const CellValue> update, std::size_t writer,
                         const Unwritten& then) const {
  for (const CellValue x : update)
    if (!require(draft, x)) return;
  if (!textbook_) settle(draft);
  take_from_buffers(draft, update, writer, 0, then);
}

// From the buffers of this thread and those after it, as much as may be worth it.
void DualSystem::take_from_buffers(const DualDraft& draft, std::span<const CellValue> update,
                                   std::size_t writer, std::size_t t, const Unwritten& then) const {
  if (t == draft.threads.size() || textbook_) {
    DualDraft unwritten = draft;
    for (const CellValue x : update) unwritten.forget(x.cell);
    return then(unwritten);
  }
  take_from_buffers(draft, update, writer, t + 1, then);
  if (t == writer) return;
  DualDraft taken = draft;
  LoadBuffer& buffer = taken.threads[t].buffer;
  while (!buffer.empty() && !buffer.back().is_own() && require(taken, buffer.back().access())) {
    const std::uint16_t cell = buffer.back().cell();
    buffer.pop_back();
    if (std::ranges::find(update, cell, &CellValue::cell) == update.end()) continue;
    settle(taken);
    take_from_buffers(taken, update, writer, t + 1, then);
  }
}

void DualSystem::finish(DualDraft& draft, Undone undone, const Offer& sink) const {
  if (!use_knowledge(draft)) return;
  if (!textbook_) settle(draft);
  // There are always more threads that have not begun.
  const auto not_begun = [&](const DualThread& thread) {
    return thread.buffer.empty() && moves_.is_start(thread.post) &&
           numbers_.unlimited(moves_.code_of(thread.post));
  };
  draft.threads.erase(std::remove_if(draft.threads.begin(), draft.threads.end(), not_begun),
                      draft.threads.end());
  draft.sort_threads();
  sink(draft, undone);
}

}  // namespace weir
