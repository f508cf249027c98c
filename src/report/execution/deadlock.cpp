#include "report/execution/deadlock.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "check/waiting.hpp"
#include "program/text/text.hpp"

namespace weir {

namespace {

class Investigation {
 public:
  Investigation(const Program& program, const Witness& witness, const SourceNames& names,
                const std::vector<StoryEvent>& events)
      : program_(program), names_(names), events_(events), waiting_(waiting_threads(program, witness)) {}

  Deadlock run() {
    follow_locks();
    for (const WaitingThread& waiting : waiting_) {
      std::vector<SharedAccess> accesses;
      for (const Value address : waiting.addresses) accesses.push_back({address});
      const SyncAction action = sync_action(program_, names_, waiting.what, accesses);
      if (waiting.what.ends_with("after waiting") && action.kind == SyncKind::kLock)
        release(action, waiting.thread);
      WaitNote note{
          .thread = waiting.thread, .position = place_of(waiting), .holds = held_by(waiting.thread)};
      note.joins = action.kind == SyncKind::kJoin;
      note.details = at(note.position);
      tell_wanted(waiting, action, note);
      found_.waiting.push_back(std::move(note));
    }
    for (const auto& [thread, wait] : waits_for_) tell_signals(thread, *wait);
    return std::move(found_);
  }

 private:
  struct Held {
    std::string object;
    ThreadId thread;
    SourcePosition position;
  };

  std::string at(SourcePosition position) const { return in_brackets(names_.line(position)); }

  SourcePosition place_of(const WaitingThread& waiting) const {
    return names_.end_of(waiting.thread, waiting.edge);
  }

  void follow_locks() {
    for (const StoryEvent& event : events_) {
      if (!event.sync) {
        // A spin lock is given back by a mere store.
        if (!event.local && !event.change.empty()) release({.object = event.name}, event.thread);
        continue;
      }
      const SyncAction& action = *event.sync;
      const bool gives = action.kind == SyncKind::kUnlock || action.kind == SyncKind::kWait;
      const bool takes =
          (action.kind == SyncKind::kLock && action.changes_object) || action.kind == SyncKind::kWake;
      if (gives) release(action, event.thread);
      if (takes && !action.object.empty()) held_.push_back({action.object, event.thread, event.position});
      if (action.kind == SyncKind::kWait) waits_for_[event.thread] = &event;
      if (action.what == "ends") ended_.insert(event.thread);
      if (action.kind == SyncKind::kArrive) arrived_at_[event.thread] = action.object;
    }
  }

  // Several may hold a lock to read; who does not hold it may give it back for another one.
  void release(const SyncAction& action, ThreadId thread) {
    const auto is_it = [&](const Held& held) { return held.object == action.object; };
    const auto is_own = [&](const Held& held) { return is_it(held) && held.thread == thread; };
    if (std::erase_if(held_, is_own) == 0) std::erase_if(held_, is_it);
  }

  std::string held_by(ThreadId thread) const {
    std::vector<std::string> objects;
    for (const Held& held : held_)
      if (held.thread == thread) objects.push_back(held.object + at(held.position));
    return listed(objects);
  }

  void tell_wanted(const WaitingThread& waiting, const SyncAction& action, WaitNote& note) {
    std::string object = action.object;
    const auto wait = waits_for_.find(waiting.thread);
    if (action.kind == SyncKind::kJoin) {
      note.wants = threads(action) + " to end";
    } else if (action.kind == SyncKind::kTake && !object.empty()) {
      note.wants = "a post of " + object;
    } else if (action.kind == SyncKind::kLeave) {
      note.wants = "more threads to arrive at " + arrived_at_[waiting.thread];
    } else if (action.kind == SyncKind::kWake && wait != waits_for_.end()) {
      const SyncAction& slept = *wait->second->sync;
      if (object.empty()) object = slept.object;
      const bool sleeps = holder(slept.object, waiting.thread) == nullptr;
      if (sleeps) is_asleep_.push_back(waiting.thread);
      note.wants = sleeps ? "a signal of " + slept.condition : object;
      note.details = at(wait->second->position) + (sleeps ? "" : about_holder(waiting, object));
    } else if (object.empty()) {
      note.wants = instruction_wanted(waiting);
    } else {
      note.wants = object;
      note.details += about_holder(waiting, object);
    }
  }

  // What is no business of a library: a condition, or the lock that there is one of.
  std::string instruction_wanted(const WaitingThread& waiting) const {
    if (!waiting.what.empty()) return "something: it " + waiting.what;
    if (names_.has_terms()) return "something";
    if (program_.edge(waiting.edge).instruction.op == Opcode::kLock) return "the lock";
    std::string text = instruction_texts(program_)[waiting.edge.index()];
    constexpr std::string_view kAssume = "assume ";
    return text.starts_with(kAssume) ? text.substr(kAssume.size()) : fmt::format("\"{}\"", text);
  }

  std::string about_holder(const WaitingThread& waiting, const std::string& object) const {
    const Held* const held = holder(object, waiting.thread);
    if (held == nullptr) return "";
    if (held->thread == waiting.thread) return ", which it holds already";
    const std::string& name = program_.thread(held->thread).name;
    // Others may go on for ever.
    if (!ended_.contains(held->thread)) return fmt::format(", which {} holds", name);
    return fmt::format(", which {} locked{} and had not unlocked when it ended", name, at(held->position));
  }

  // Another thread than that, if there is one.
  const Held* holder(const std::string& object, ThreadId waiting) const {
    const Held* found = nullptr;
    for (const Held& held : held_)
      if (held.object == object && (found == nullptr || found->thread == waiting)) found = &held;
    return found;
  }

  std::string threads(const SyncAction& action) const {
    std::vector<std::string> words;
    for (const ThreadId each : action.threads) words.push_back(program_.thread(each).name);
    return words.empty() ? "a thread" : listed(words);
  }

  // Which signals there were, and why they have not helped.
  void tell_signals(ThreadId sleeper, const StoryEvent& wait) {
    if (std::ranges::find(is_asleep_, sleeper) == is_asleep_.end()) return;
    bool any = false;
    for (const StoryEvent& event : events_) {
      if (!event.sync || event.local || event.sync->kind != SyncKind::kSignal) continue;
      if (event.sync->condition != wait.sync->condition) continue;
      any = true;
      if (std::ranges::find(told_, &event) != told_.end()) continue;
      told_.push_back(&event);
      found_.signals.push_back(fmt::format("{} signals {}{}{}", names_.thread(event.thread),
                                           event.sync->condition, at(event.position),
                                           effect_of(event, wait)));
    }
    const std::string nobody = fmt::format("nobody signals {}", wait.sync->condition);
    if (!any && std::ranges::find(found_.signals, nobody) == found_.signals.end())
      found_.signals.push_back(nobody);
  }

  std::string effect_of(const StoryEvent& signal, const StoryEvent& wait) const {
    if (signal.sync->threads.empty())
      return signal.step < wait.step ? " before that: nobody waited" : ": nobody was woken";
    std::string out = fmt::format(": it woke {}", threads(*signal.sync));
    for (const ThreadId woken : signal.sync->threads)
      if (const auto again = waits_for_.find(woken);
          again != waits_for_.end() && again->second->step > signal.step)
        out +=
            fmt::format(", and {} waits again{}", program_.thread(woken).name, at(again->second->position));
    return out;
  }

  const Program& program_;
  const SourceNames& names_;
  const std::vector<StoryEvent>& events_;
  const std::vector<WaitingThread> waiting_;
  std::vector<Held> held_;
  std::map<ThreadId, const StoryEvent*> waits_for_;  // the latest wait of each thread
  std::map<ThreadId, std::string> arrived_at_;       // the latest barrier
  std::set<ThreadId> ended_;
  std::vector<ThreadId> is_asleep_;
  std::vector<const StoryEvent*> told_;  // signals
  Deadlock found_;
};

}  // namespace

Deadlock deadlock_of(const Program& program, const Witness& witness, const SourceNames& names,
                     const std::vector<StoryEvent>& events) {
  if (witness.violation.kind != ViolationKind::kDeadlock) return {};
  return Investigation(program, witness, names, events).run();
}

std::vector<WaitNote> wait_notes(const Program& program, const Witness& witness) {
  if (witness.violation.kind != ViolationKind::kDeadlock) return {};
  return deadlock_of(program, witness, SourceNames(program, witness), tell(program, witness).events).waiting;
}

std::string in_brackets(const std::string& line) { return line.empty() ? "" : fmt::format(" ({})", line); }

}  // namespace weir
