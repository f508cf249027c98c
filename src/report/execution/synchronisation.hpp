// What an atomic block of a library does, in terms of locks, condition variables and threads instead of the words in
// memory that stand for them.
#pragma once

#include <string>
#include <vector>

#include "report/execution/source_names.hpp"

namespace weir {

enum class SyncKind : std::uint8_t {
  kOther,
  kLock,  // takes it, or would
  kUnlock,
  kWait,  // starts to wait for the condition variable and gives the lock back
  kWake,  // goes on after that, with the lock
  kSignal,
  kTake,  // one from a semaphore
  kPost,
  kArrive,  // at a barrier
  kLeave,   // it
  kCreate,
  kJoin,
};

// Of a block, or of as much of it as was executed.
struct SyncAction {
  SyncKind kind = SyncKind::kOther;
  std::string what;               // "locks a mutex"
  std::string object, condition;  // "accounts[0].lock", "changed"
  std::vector<ThreadId> threads;  // created, joined, woken
  bool changes_object = false;    // the lock was taken, …
};

// From the message of the block and what it accesses in shared memory, each with whether it wrote.
struct SharedAccess {
  Value address = 0;
  bool writes = false;
};
SyncAction sync_action(const Program& program, const SourceNames& names, const std::string& what,
                       const std::vector<SharedAccess>& accesses);

// "locks m", "signals c: wakes t1 (reader)"
std::string sync_text(const SourceNames& names, const SyncAction& action);

// "t1, t2 and t3"
std::string listed(const std::vector<std::string>& words);

}  // namespace weir
