#include "report/execution/synchronisation.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace weir {

namespace {

struct Phrase {
  std::string_view what;  // the message of the block
  SyncKind kind;
  std::string_view words = {};  // with the object, where it is the same for all of a kind
};

constexpr std::array kPhrases = {
    Phrase{"locks a mutex", SyncKind::kLock, "locks {}"},
    Phrase{"locks a mutex, or times out", SyncKind::kLock, "locks {}"},
    Phrase{"locks a mutex, if it is free", SyncKind::kLock, "locks {}"},
    Phrase{"tries to lock a mutex", SyncKind::kLock, "locks {}"},
    Phrase{"unlocks a mutex", SyncKind::kUnlock, "unlocks {}"},
    Phrase{"locks a spin lock", SyncKind::kLock, "locks {}"},
    Phrase{"tries to lock a spin lock", SyncKind::kLock, "locks {}"},
    Phrase{"unlocks a spin lock", SyncKind::kUnlock, "unlocks {}"},
    Phrase{"locks a read-write lock to read", SyncKind::kLock, "locks {} to read"},
    Phrase{"locks a read-write lock to read, if possible", SyncKind::kLock, "locks {} to read"},
    Phrase{"locks a read-write lock to write", SyncKind::kLock, "locks {} to write"},
    Phrase{"locks a read-write lock to write, after waiting", SyncKind::kLock, "locks {} to write"},
    Phrase{"locks a read-write lock to write, if possible", SyncKind::kLock, "locks {} to write"},
    Phrase{"unlocks a read-write lock", SyncKind::kUnlock, "unlocks {}"},
    Phrase{"posts a semaphore", SyncKind::kPost, "posts {}"},
    Phrase{"waits for a semaphore", SyncKind::kTake, "takes one from {}"},
    Phrase{"takes one from a semaphore, if there is one", SyncKind::kTake, "takes one from {}"},
    Phrase{"arrives at a barrier", SyncKind::kArrive, "arrives at {}"},
    Phrase{"leaves a barrier", SyncKind::kLeave, "leaves {}"},
    Phrase{"waits for a condition variable", SyncKind::kWait},
    Phrase{"is woken and locks the mutex", SyncKind::kWake},
    Phrase{"woke without a signal and locks the mutex", SyncKind::kWake},
    Phrase{"locks the mutex after waiting", SyncKind::kWake},
    Phrase{"signals a condition variable", SyncKind::kSignal},
    Phrase{"wakes all that wait for a condition variable", SyncKind::kSignal},
    Phrase{"creates a thread", SyncKind::kCreate},
    Phrase{"joins a thread", SyncKind::kJoin},
};

// The thread whose slot in the runtime's table the cell belongs to: it is called "t1.state".
std::optional<ThreadId> thread_of_slot(const Program& program, Value address) {
  const auto object = program.object_at(address);
  if (!object || program.object(*object).position.known()) return std::nullopt;
  const std::string& name = program.object(*object).name;
  return program.find_thread(name.substr(0, name.find('.')));
}

std::string_view words_of(const std::string& what) {
  const auto known = std::ranges::find(kPhrases, what, &Phrase::what);
  return known == kPhrases.end() ? std::string_view() : known->words;
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

std::string with_object(const SyncAction& action) {
  return fmt::format(fmt::runtime(words_of(action.what)), action.object);
}

}  // namespace

SyncAction sync_action(const Program& program, const SourceNames& names, const std::string& what,
                       const std::vector<SharedAccess>& accesses) {
  SyncAction action{.what = what};
  if (const auto known = std::ranges::find(kPhrases, what, &Phrase::what); known != kPhrases.end())
    action.kind = known->kind;
  std::vector<ThreadId> looked_at;
  for (const SharedAccess& access : accesses) {
    if (const auto thread = thread_of_slot(program, access.address)) {
      add_once(access.writes ? action.threads : looked_at, *thread);
      continue;
    }
    if (names.is_internal(access.address)) continue;
    if (const std::string condition = names.condition_at(access.address); !condition.empty()) {
      action.condition = condition;
      continue;
    }
    const std::string object = names.address(access.address);
    if (action.object.empty()) action.object = object;
    // Who queues for a read-write lock counts itself, and does not have it yet.
    const bool queues =
        action.kind == SyncKind::kLock && program.address_name(access.address).ends_with("__writers");
    if (access.writes && object == action.object && !queues) action.changes_object = true;
  }
  if (action.threads.empty() && !looked_at.empty()) action.threads = {looked_at.back()};
  return action;
}

std::string sync_text(const SourceNames& names, const SyncAction& action) {
  std::vector<std::string> threads;
  for (const ThreadId thread : action.threads) threads.push_back(names.thread(thread));
  const bool knows_object = !action.object.empty();
  switch (action.kind) {
    case SyncKind::kLock:
    case SyncKind::kTake:
      if (knows_object && action.changes_object) return with_object(action);
      break;
    case SyncKind::kUnlock:
    case SyncKind::kPost:
    case SyncKind::kArrive:
    case SyncKind::kLeave:
      if (knows_object) return with_object(action);
      break;
    case SyncKind::kWait:
      if (knows_object && !action.condition.empty())
        return fmt::format("waits for {}, unlocks {}", action.condition, action.object);
      break;
    case SyncKind::kWake:
      if (!knows_object) break;
      return fmt::format("{}, locks {}",
                         action.what.starts_with("woke") ? "wakes up without a signal" : "wakes up",
                         action.object);
    case SyncKind::kSignal:
      if (!action.condition.empty() && !threads.empty())
        return fmt::format("signals {}: wakes {}", action.condition, listed(threads));
      break;
    case SyncKind::kCreate:
      if (!threads.empty()) return "creates " + listed(threads);
      break;
    case SyncKind::kJoin:
      if (!threads.empty()) return "joins " + listed(threads);
      break;
    case SyncKind::kOther: break;
  }
  const std::string& object = action.condition.empty() ? action.object : action.condition;
  return object.empty() ? action.what : fmt::format("{} ({})", action.what, object);
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

}  // namespace weir
