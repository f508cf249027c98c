#include "report/execution/story.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "check/waiting.hpp"
#include "program/address.hpp"
#include "report/execution/race.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostSentences = 4;

bool reads(const StoryEvent& event) {
  return std::string_view(event.action) == "load" || std::string_view(event.action) == "rmw";
}
bool writes(const StoryEvent& event) {
  return std::string_view(event.action) == "store" || std::string_view(event.action) == "rmw";
}

class StoryTeller {
 public:
  StoryTeller(const Program& program, const Witness& witness)
      : program_(program),
        witness_(witness),
        names_(program, witness),
        events_(tell(program, witness).events),
        buffering_(find_buffering(program, witness)) {
    for (const StoryEvent& event : events_)
      if (is_of_interest(event)) main_events_.push_back(&event);
  }

  std::vector<std::string> run() {
    switch (witness_.violation.kind) {
      case ViolationKind::kDeadlock: tell_deadlock(); break;
      case ViolationKind::kMemory: tell_memory(); break;
      case ViolationKind::kRace: tell_race(); break;
      case ViolationKind::kAssertion:
        tell_last_reads();
        break;
      default: break;
    }
    if (program_.byte_memory) {
      tell_overwriting();
      tell_interruptions();
    }
    if (sentences_.size() > kMostSentences) sentences_.resize(kMostSentences);
    return std::move(sentences_);
  }

 private:
  // Something that another thread could notice, or the failure.
  bool is_of_interest(const StoryEvent& event) const {
    if (event.sync && event.sync->kind != SyncKind::kOther && !event.local) return true;
    if (event.step + 1 == witness_.steps.size()) return true;
    return !event.local && !event.name.empty();
  }

  std::string at(SourcePosition position) const {
    const std::string line = names_.line(position);
    return line.empty() ? "" : fmt::format(" ({})", line);
  }

  std::string thread(ThreadId thread) const { return names_.thread(thread); }

  // "read hits = 0", in the words of the table.
  static std::string deed(const StoryEvent& event) {
    std::string text = event.text.substr(0, event.text.find("  <--"));
    return text.substr(0, text.find(" ("));
  }

  // --- Deadlocks

  struct Held {
    std::string object;
    ThreadId thread;
    SourcePosition position;
  };

  void follow_locks() {
    for (const StoryEvent& event : events_) {
      if (!event.sync) continue;
      const SyncAction& action = *event.sync;
      const bool gives = action.kind == SyncKind::kUnlock || action.kind == SyncKind::kWait;
      const bool takes =
          (action.kind == SyncKind::kLock && action.changes_object) || action.kind == SyncKind::kWake;
      if (gives) std::erase_if(held_, [&](const Held& held) { return held.object == action.object; });
      if (takes && !action.object.empty()) held_.push_back({action.object, event.thread, event.position});
      if (action.kind == SyncKind::kWait) waits_for_[event.thread] = &event;
    }
  }

  void tell_deadlock() {
    follow_locks();
    std::vector<std::string> joins;
    for (const WaitingThread& waiting : waiting_threads(program_, witness_)) {
      std::vector<SharedAccess> accesses;
      for (const Value address : waiting.addresses) accesses.push_back({address});
      const SyncAction action = sync_action(program_, names_, waiting.what, accesses);
      const std::string sentence =
          fmt::format("{} {}waits for {}", thread(waiting.thread), holds(waiting.thread), wanted(waiting, action));
      (action.kind == SyncKind::kJoin ? joins : sentences_).push_back(sentence);
    }
    for (const auto& [thread, wait] : waits_for_) tell_signals(thread, *wait);
    sentences_.insert(sentences_.end(), joins.begin(), joins.end());
  }

  std::string holds(ThreadId thread) const {
    std::vector<std::string> objects;
    for (const Held& held : held_)
      if (held.thread == thread) objects.push_back(held.object + at(held.position));
    return objects.empty() ? "" : fmt::format("holds {} and ", listed(objects));
  }

  std::string wanted(const WaitingThread& waiting, const SyncAction& action) {
    const std::string place = at(names_.end_of(waiting.thread, waiting.edge));
    switch (action.kind) {
      case SyncKind::kJoin: return fmt::format("{} to end{}", threads(action), place);
      case SyncKind::kWake:
        if (const auto wait = waits_for_.find(waiting.thread);
            wait != waits_for_.end() && holder(wait->second->sync->object) == nullptr) {
          is_asleep_.push_back(waiting.thread);
          return fmt::format("a signal of {}{}", wait->second->sync->condition, at(wait->second->position));
        }
        break;
      default: break;
    }
    std::string object = action.object;
    if (action.kind == SyncKind::kWake && object.empty()) object = waits_for_[waiting.thread]->sync->object;
    if (object.empty())
      return fmt::format("something{}{}", waiting.what.empty() ? "" : ": it " + waiting.what, place);
    const Held* const held = holder(object);
    if (held == nullptr) return object + place;
    return held->thread == waiting.thread
               ? fmt::format("{} again{}", object, place)
               : fmt::format("{}{}, which {} holds", object, place, program_.thread(held->thread).name);
  }

  const Held* holder(const std::string& object) const {
    const auto found = std::ranges::find(held_, object, &Held::object);
    return found == held_.end() ? nullptr : &*found;
  }

  std::string threads(const SyncAction& action) const {
    std::vector<std::string> words;
    for (const ThreadId each : action.threads) words.push_back(program_.thread(each).name);
    return words.empty() ? "a thread" : listed(words);
  }

  // Which signals there were, and why they have not helped.
  void tell_signals(ThreadId sleeper, const StoryEvent& wait) {
    if (std::ranges::find(is_asleep_, sleeper) == is_asleep_.end()) return;
    std::vector<std::string> said;
    for (const StoryEvent& event : events_) {
      if (!event.sync || event.local || event.sync->kind != SyncKind::kSignal) continue;
      if (event.sync->condition != wait.sync->condition) continue;
      const std::string woken = event.sync->threads.empty() ? "nobody waited"
                                                            : fmt::format("it woke {}", threads(*event.sync));
      said.push_back(fmt::format("{} signals {}{}{}: {}", thread(event.thread), event.sync->condition,
                                 at(event.position), event.step < wait.step ? " before that" : "", woken));
    }
    if (said.empty()) said.push_back(fmt::format("nobody signals {}", wait.sync->condition));
    for (const std::string& each : said)
      if (std::ranges::find(sentences_, each) == sentences_.end()) sentences_.push_back(each);
  }

  // --- Memory

  void tell_memory() {
    if (events_.empty()) return;
    const StoryEvent& last = events_.back();
    if (!last.address || address_kind(*last.address) != AddressKind::kBlock) return tell_pending(last);
    std::string place = names_.block_place(*last.address);
    if (!place.empty()) sentences_.push_back(place);
    for (const StoryEvent& event : events_) {
      if (std::string_view(event.action) != "free" || !event.address || &event == &last) continue;
      if (address_kind(*event.address) != AddressKind::kBlock) continue;
      if (status_address(*event.address) != status_address(*last.address)) continue;
      sentences_.push_back(fmt::format("{} frees it{}, and then {} {}{}", thread(event.thread), at(event.position),
                                       thread(last.thread), deed(last), at(last.position)));
      return;
    }
    sentences_.push_back(fmt::format("{} {}{}", thread(last.thread), deed(last), at(last.position)));
    tell_pending(last);
  }

  // Stores to the cell that have not reached memory, of others.
  void tell_pending(const StoryEvent& reader) {
    for (const StoryEvent& event : events_) {
      if (!event.buffered || event.thread == reader.thread || event.address != reader.address) continue;
      const std::size_t flush = buffering_.partner[event.step];
      if (event.step > reader.step || (flush != kNoStep && flush < reader.step)) continue;
      sentences_.push_back(fmt::format("{} has done \"{}\"{}, but that is still in its store buffer",
                                       thread(event.thread), deed(event), at(event.position)));
    }
  }

  // --- Races

  void tell_race() {
    std::vector<std::string> accesses;
    for (const RaceNote& note : race_notes(program_, witness_))
      accesses.push_back(fmt::format("{} {} {}{}", thread(note.thread), note.verb, note.variable, at(note.position)));
    if (accesses.size() == 2)
      sentences_.push_back(fmt::format("{}; {}; nothing orders the two", accesses[0], accesses[1]));
  }

  // --- Assertions

  // What the thread that fails has read last, and from whom.
  void tell_last_reads() {
    if (!program_.byte_memory || events_.empty()) return;
    const StoryEvent& last = events_.back();
    std::vector<const StoryEvent*> found;
    for (auto event = main_events_.rbegin(); event != main_events_.rend() && found.size() < 2; ++event) {
      if (*event == &last || (*event)->thread != last.thread || (*event)->setup) continue;
      if (!reads(**event) || (*event)->sync || (*event)->text.starts_with("compare-exchange")) break;
      const bool again = std::ranges::any_of(found, [&](const auto* each) { return each->name == (*event)->name; });
      if (!again) found.push_back(*event);
    }
    for (auto event = found.rbegin(); event != found.rend(); ++event) {
      sentences_.push_back(fmt::format("{} {}{}{}", thread(last.thread), deed(**event), at((*event)->position),
                                       source_of(**event)));
      tell_pending(**event);
    }
  }

  // Who wrote what a thread reads.
  std::string source_of(const StoryEvent& reader) const {
    const StoryEvent* writer = nullptr;
    for (const StoryEvent& event : events_)
      if (event.step < reader.step && !event.change.empty() && event.address == reader.address) writer = &event;
    if (writer == nullptr) return ", its initial value";
    if (writer->thread == reader.thread) return "";
    return fmt::format(", from {}{}", thread(writer->thread), at(writer->position));
  }

  // --- Lost updates

  // A thread writes what another one has written since it read.
  void tell_overwriting() {
    for (const StoryEvent* last : main_events_) {
      if (std::string_view(last->action) != "store" || last->sync) continue;
      const StoryEvent *own_read = nullptr, *other = nullptr;
      for (const StoryEvent* event : main_events_) {
        if (event->step >= last->step) break;
        if (event->address != last->address || event->sync) continue;
        if (event->thread == last->thread) {
          own_read = reads(*event) ? event : nullptr;
          other = nullptr;
        } else if (own_read != nullptr && writes(*event) && !event->change.empty()) {
          other = event;
        }
      }
      if (other == nullptr) continue;
      sentences_.push_back(fmt::format("{} {}{}, {} {}{}, and then {} {}{}: an update is lost",
                                       thread(last->thread), deed(*own_read), at(own_read->position),
                                       thread(other->thread), deed(*other), at(other->position),
                                       program_.thread(last->thread).name, deed(*last), at(last->position)));
      return;
    }
  }

  // --- Interruptions

  static bool has_waited(const StoryEvent& event) {
    return event.sync && (event.sync->kind == SyncKind::kJoin || event.sync->kind == SyncKind::kWake);
  }

  // Where a thread was when others went on, and what they did before it went on itself.
  void tell_interruptions() {
    std::map<ThreadId, const StoryEvent*> stopped;
    const StoryEvent* before = nullptr;
    for (const StoryEvent* event : main_events_) {
      if (event->setup || std::string_view(event->action) == "flush") continue;
      if (before != nullptr && before->thread != event->thread) {
        stopped[before->thread] = before;
        const auto own = stopped.find(event->thread);
        if (own != stopped.end() && !has_waited(*event) && !is_over(*own->second))
          sentences_.push_back(fmt::format("{} is interrupted after {}{}, and goes on with {}{}",
                                           thread(event->thread), deed(*own->second), at(own->second->position),
                                           deed(*event), at(event->position)));
      }
      before = event;
    }
    if (before == nullptr || witness_.violation.kind == ViolationKind::kDeadlock) return;
    for (const auto& [id, last] : stopped)
      if (id != before->thread && !is_over(*last) && !has_ended(id) && id.index() != 0)
        sentences_.push_back(fmt::format("{} has been interrupted after {}{}", thread(id), deed(*last),
                                         at(last->position)));
  }

  static bool is_over(const StoryEvent& event) {
    return event.sync && (event.sync->kind == SyncKind::kCreate || event.sync->what == "ends");
  }

  bool has_ended(ThreadId thread) const {
    return std::ranges::any_of(events_, [&](const StoryEvent& event) {
      return event.thread == thread && event.sync && event.sync->what == "ends";
    });
  }

  const Program& program_;
  const Witness& witness_;
  const SourceNames names_;
  const std::vector<StoryEvent> events_;
  const Buffering buffering_;
  std::vector<const StoryEvent*> main_events_;
  std::vector<Held> held_;
  std::map<ThreadId, const StoryEvent*> waits_for_;  // the latest wait of each thread
  std::vector<ThreadId> is_asleep_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> story(const Program& program, const Witness& witness) {
  if (witness.steps.empty()) return {};
  return StoryTeller(program, witness).run();
}

Violation told_violation(const Program& program, const Witness& witness) {
  Violation told = witness.violation;
  if (witness.steps.empty()) return told;
  const SourceNames names(program, witness);
  if (!names.has_terms()) return told;
  told.message = names.reworded(told.message);
  const bool in_last_step = told.kind == ViolationKind::kAssertion ||
                            (told.kind == ViolationKind::kMemory && told.property != kLeak);
  SourcePosition place;
  if (in_last_step) place = names.place(witness.steps.size() - 1);
  if (told.kind == ViolationKind::kDeadlock)
    for (const WaitingThread& waiting : waiting_threads(program, witness))
      if (!place.known() || waiting.thread.index() != 0) place = names.end_of(waiting.thread, waiting.edge);
  if (const auto races = race_notes(program, witness); !races.empty()) place = races.back().position;
  if (place.known()) told.position = place;
  return told;
}

}  // namespace weir
