#include "report/execution/story.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "check/waiting.hpp"
#include "program/address.hpp"
#include "report/execution/deadlock.hpp"
#include "report/execution/race.hpp"
#include "report/execution/reorderings.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostSentences = 4;

bool leaks(const Violation& violation) {
  return violation.kind == ViolationKind::kMemory && violation.property == kLeak;
}

bool reads(const StoryEvent& event) {
  return std::string_view(event.action) == "load" || std::string_view(event.action) == "rmw";
}

class StoryTeller {
 public:
  StoryTeller(const Program& program, const Witness& witness)
      : program_(program),
        witness_(witness),
        names_(program, witness),
        events_(tell(program, witness).events),
        buffering_(find_buffering(program, witness)),
        deadlock_(deadlock_of(program, witness, names_, events_)) {
    for (const StoryEvent& event : events_)
      if (is_of_interest(event)) main_events_.push_back(&event);
  }

  std::vector<std::string> run() {
    if (program_.byte_memory) tell_overwriting();
    switch (witness_.violation.kind) {
      case ViolationKind::kDeadlock: tell_deadlock(); break;
      case ViolationKind::kMemory: tell_memory(); break;
      case ViolationKind::kRace: tell_race(); break;
      case ViolationKind::kAssertion: tell_last_reads(); break;
      default: break;
    }
    const std::string cause = cause_text();
    const std::size_t most = kMostSentences - (cause.empty() ? 0 : 1);
    if (sentences_.size() > most) sentences_.resize(most);
    if (!cause.empty()) sentences_.push_back(cause);
    return std::move(sentences_);
  }

 private:
  // Something that another thread could notice, or the failure.
  bool is_of_interest(const StoryEvent& event) const {
    if (event.sync && event.sync->kind != SyncKind::kOther && !event.local) return true;
    if (event.step + 1 == witness_.steps.size()) return true;
    return !event.local && !event.name.empty();
  }

  std::string at(SourcePosition position) const { return in_brackets(names_.line(position)); }

  // With its function where it is mentioned first.
  std::string thread(ThreadId thread) {
    return introduced_.insert(thread).second ? names_.thread(thread) : program_.thread(thread).name;
  }

  // "reads hits = 0": the words of the table as a part of a sentence.
  static std::string deed(const StoryEvent& event) {
    std::string text = event.text.substr(0, event.text.find("  <--"));
    if (event.sync) return deed_of_sync(*event.sync, std::move(text));
    if (text.starts_with("end of ")) return "leaves the block of " + text.substr(7);
    if (std::string_view(event.action) == "rmw" && !event.value) return text;
    if (std::string_view(event.action) == "rmw") return deed_of_update(event, text);
    text = text.substr(0, text.find(" ("));
    if (text.ends_with(" fails")) return "fails";
    if (text.starts_with("flush ")) text.replace(0, 5, "write");
    for (const std::string_view verb : {"read", "write", "free"})
      if (text.starts_with(std::string(verb) + " ")) return text.insert(verb.size(), "s");
    return text;
  }

  // "waits for c and unlocks m"
  static std::string deed_of_sync(const SyncAction& action, std::string text) {
    if (action.kind == SyncKind::kSignal) return text.substr(0, text.find(": "));
    if (const std::size_t comma = text.find(", "); comma != std::string::npos)
      text.replace(comma, 2, " and ");
    return text;
  }

  // "changes top from NULL to &node", "reads top = NULL" where it changes nothing.
  static std::string deed_of_update(const StoryEvent& event, const std::string& text) {
    const std::size_t arrow = event.change.find(" -> ");
    const std::size_t start = event.name.size() + 2;
    if (arrow != std::string::npos && arrow >= start)
      return fmt::format("changes {} from {} to {}", event.name, event.change.substr(start, arrow - start),
                         event.change.substr(arrow + 4));
    const std::size_t read = text.find(": read "), end = text.rfind(", ");
    if (read == std::string::npos || end == std::string::npos || end < read) return text;
    return fmt::format("reads {} = {}", event.name, text.substr(read + 7, end - read - 7));
  }

  // What it does, and where.
  std::string deed_at(const StoryEvent& event) const { return deed(event) + at(event.position); }

  // --- Deadlocks

  void tell_deadlock() {
    std::vector<std::string> joins;
    for (const WaitNote& note : deadlock_.waiting) {
      const std::string holds = note.holds.empty() ? "" : fmt::format("holds {} and ", note.holds);
      const std::string sentence =
          fmt::format("{} {}waits for {}{}", thread(note.thread), holds, note.wants, note.details);
      (note.joins ? joins : sentences_).push_back(sentence);
    }
    sentences_.insert(sentences_.end(), deadlock_.signals.begin(), deadlock_.signals.end());
    sentences_.insert(sentences_.end(), joins.begin(), joins.end());
  }

  // --- Memory

  void tell_memory() {
    if (leaks(witness_.violation)) return tell_leak();
    if (events_.empty()) return;
    const StoryEvent& last = events_.back();
    if (!last.address || address_kind(*last.address) != AddressKind::kBlock) return tell_last_reads();
    for (const StoryEvent& event : events_) {
      if (std::string_view(event.action) != "free" || !event.address || &event == &last) continue;
      if (address_kind(*event.address) != AddressKind::kBlock) continue;
      if (status_address(*event.address) != status_address(*last.address)) continue;
      const std::string who = thread(event.thread);
      sentences_.push_back(
          fmt::format("{} {}, and then {} {}", who, deed_at(event), thread(last.thread), deed_at(last)));
      return;
    }
    std::string place = names_.block_place(*last.address);
    if (const std::size_t colon = place.find(": "); colon != std::string::npos)
      place.replace(colon, 2, " was ");
    sentences_.push_back(
        fmt::format("{} {}{}{}", thread(last.thread), deed_at(last), place.empty() ? "" : "; ", place));
    tell_pending(last);
  }

  void tell_leak() {
    const auto step = names_.allocation_of(witness_.violation.message);
    if (!step) return;
    const WitnessStep& allocation = witness_.steps[*step];
    sentences_.push_back(fmt::format("{} allocates {}{}, and nobody frees it", thread(allocation.thread),
                                     names_.whole_block(allocation.value), at(names_.place(*step))));
  }

  // Stores to the cell that have not reached memory, of others.
  void tell_pending(const StoryEvent& reader) {
    for (const StoryEvent& event : events_) {
      if (!event.buffered || event.thread == reader.thread || event.address != reader.address) continue;
      const std::size_t flush = buffering_.partner[event.step];
      if (event.step > reader.step || (flush != kNoStep && flush < reader.step)) continue;
      sentences_.push_back(fmt::format("{} {}, but that is still in its store buffer then",
                                       thread(event.thread), deed_at(event)));
    }
  }

  // --- Races

  void tell_race() {
    std::vector<std::string> accesses;
    for (const RaceNote& note : race_notes(program_, witness_))
      accesses.push_back(
          fmt::format("{} {} {}{}", thread(note.thread), note.verb, note.variable, at(note.position)));
    if (accesses.size() == 2)
      sentences_.push_back(fmt::format("{}; {}; nothing orders the two", accesses[0], accesses[1]));
  }

  // --- Assertions

  // What the thread that fails has read last, and from whom.
  void tell_last_reads() {
    if (!program_.byte_memory || events_.empty()) return;
    const std::vector<const StoryEvent*> found = last_reads(events_.back());
    tell_wake_up(found.empty() ? events_.back() : *found.front());
    if (found.empty()) return;
    std::string sentence = thread(found.front()->thread) + " reads ";
    for (const StoryEvent* event : found) {
      if (event != found.front()) sentence += "; ";
      sentence += deed_at(*event).substr(std::string_view("reads ").size()) + source_of(*event);
    }
    sentences_.push_back(std::move(sentence));
    for (const StoryEvent* event : found) tell_pending(*event);
  }

  std::vector<const StoryEvent*> last_reads(const StoryEvent& last) const {
    constexpr std::size_t kMost = 3;
    std::vector<const StoryEvent*> found;
    for (auto event = main_events_.rbegin(); event != main_events_.rend() && found.size() < kMost; ++event) {
      if (*event == &last || (*event)->thread != last.thread || (*event)->setup) continue;
      if (!reads(**event) || (*event)->sync || !deed(**event).starts_with("reads ")) break;
      const bool again =
          std::ranges::any_of(found, [&](const auto* each) { return each->name == (*event)->name; });
      if (!again) found.insert(found.begin(), *event);
    }
    return found;
  }

  // Nobody has to signal for that.
  void tell_wake_up(const StoryEvent& before) {
    for (auto event = main_events_.rbegin(); event != main_events_.rend(); ++event)
      if ((*event)->thread == before.thread && (*event)->step < before.step) {
        if ((*event)->sync && (*event)->sync->what.starts_with("woke without"))
          sentences_.push_back(fmt::format("{} {}", thread(before.thread), deed_at(**event)));
        return;
      }
  }

  // Who wrote what a thread reads.
  std::string source_of(const StoryEvent& reader) {
    const StoryEvent* writer = nullptr;
    for (const StoryEvent& event : events_)
      if (event.step < reader.step && !event.change.empty() && event.address == reader.address)
        writer = &event;
    if (writer == nullptr) return ", its initial value";
    if (writer->thread == reader.thread) return "";
    const std::string line = names_.line(writer->position);
    return fmt::format(", written by {}{}{}", thread(writer->thread), line.empty() ? "" : " at ", line);
  }

  // --- Updates that do not see each other

  // A thread writes what others have changed since it read. A compare-exchange succeeds then only if what it expects is
  // there again, which is known as ABA.
  void tell_overwriting() {
    for (const StoryEvent* last : main_events_) {
      const bool updates =
          std::string_view(last->action) == "rmw" && last->text.starts_with("compare-exchange");
      const bool writes = std::string_view(last->action) == "flush" ||
                          (std::string_view(last->action) == "store" && !last->buffered);
      if (last->sync || (!updates && !writes)) continue;
      const auto [own_read, others] = since_read(*last);
      if (others.empty()) continue;
      // Of numbers that are the same again, many are meant to be: locks that are free, for example.
      const bool is_pointer = own_read->text.find("= &") != std::string::npos;
      if (updates && (!is_pointer || own_read->value != last->value || last->change.empty())) continue;
      const std::string who = thread(last->thread);
      if (updates)
        sentences_.push_back(fmt::format(
            "{} {}; {} changes {}{} and then back{}; so {}'s compare-exchange succeeds{}", who,
            deed_at(*own_read), thread(others.front()->thread), last->name, at(others.front()->position),
            at(others.back()->position), program_.thread(last->thread).name, at(last->position)));
      else
        sentences_.push_back(fmt::format("{} {}, {} {}, and then {} {}: an update is lost", who,
                                         deed_at(*own_read), thread(others.back()->thread),
                                         deed_at(*others.back()), program_.thread(last->thread).name,
                                         deed_at(*last)));
      return;
    }
  }

  // The latest read of the same cell by the same thread, and the changes of others since then.
  std::pair<const StoryEvent*, std::vector<const StoryEvent*>> since_read(const StoryEvent& last) const {
    const StoryEvent* own_read = nullptr;
    std::vector<const StoryEvent*> others;
    for (const StoryEvent* event : main_events_) {
      if (event->step >= last.step) break;
      if (event->address != last.address || event->sync || event->buffered) continue;
      if (event->thread == last.thread) {
        own_read = reads(*event) ? event : nullptr;
        others.clear();
      } else if (own_read != nullptr && !event->change.empty()) {
        others.push_back(event);
      }
    }
    return {own_read, std::move(others)};
  }

  // --- The cause

  // Where stores are delayed, that; or else where threads are interrupted, since witnesses have few context switches.
  std::string cause_text() {
    constexpr std::size_t kMost = 3;
    if (witness_.violation.kind == ViolationKind::kRobustness ||
        witness_.violation.kind == ViolationKind::kTriangularRace)
      return "";
    std::vector<std::string> causes = reorderings();
    if (causes.empty() && program_.byte_memory) causes = interruptions();
    if (causes.empty()) return "";
    const bool more = causes.size() > kMost;
    if (more) causes.resize(kMost);
    return fmt::format("Cause: {}{}", fmt::join(causes, "; "), more ? "; and more" : "");
  }

  std::vector<std::string> reorderings() {
    std::vector<std::string> found;
    for (const Reordering& each : needed_reorderings(program_, witness_)) {
      const StoryEvent &store = events_[each.store], &overtaker = events_[each.overtaker];
      if (store.local || overtaker.local) continue;
      const std::string who = thread(store.thread);
      if (reads(overtaker))
        found.push_back(fmt::format("{} {} before its {}{} reaches memory", who, deed_at(overtaker),
                                    noun(store), at(store.position)));
      else
        found.push_back(fmt::format("{}'s {}{} reaches memory before its earlier {}{}", who, noun(overtaker),
                                    at(overtaker.position), noun(store), at(store.position)));
    }
    return found;
  }

  // "write x = 1"
  static std::string noun(const StoryEvent& event) { return event.text.substr(0, event.text.find(" (")); }

  static bool has_waited(const StoryEvent& event) {
    return event.sync && (event.sync->kind == SyncKind::kJoin || event.sync->kind == SyncKind::kWake);
  }

  // Where a thread was when others went on, and what they did before it went on itself.
  std::vector<std::string> interruptions() {
    std::vector<std::string> found;
    std::map<ThreadId, const StoryEvent*> stopped;
    const StoryEvent* before = nullptr;
    for (const StoryEvent* event : main_events_) {
      if (event->setup || std::string_view(event->action) == "flush") continue;
      if (before != nullptr && before->thread != event->thread) {
        stopped[before->thread] = before;
        const auto own = stopped.find(event->thread);
        if (own != stopped.end() && !has_waited(*event) && !is_over(*own->second))
          found.push_back(fmt::format("{} is interrupted after it {} and before it {}", thread(event->thread),
                                      deed_at(*own->second), deed_at(*event)));
      }
      before = event;
    }
    // Of those that have not gone on, nobody knows whether that matters.
    if (before == nullptr || !found.empty() || witness_.violation.kind == ViolationKind::kDeadlock)
      return found;
    for (const auto& [id, last] : stopped)
      if (id != before->thread && !is_over(*last) && !has_ended(id) && id.index() != 0)
        found.push_back(fmt::format("{} is interrupted after it {}", thread(id), deed_at(*last)));
    return found;
  }

  static bool is_over(const StoryEvent& event) {
    return event.sync && (event.sync->kind == SyncKind::kCreate || event.sync->what == "ends" ||
                          event.sync->what == "starts" || event.sync->kind == SyncKind::kWait);
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
  const Deadlock deadlock_;
  std::vector<const StoryEvent*> main_events_;
  std::set<ThreadId> introduced_;
  std::vector<std::string> sentences_;
};

// Are the blocks that are named in what is said about the violation meant as a whole?
bool is_about_whole_blocks(const Program& program, const Witness& witness) {
  const WitnessStep& last = witness.steps.back();
  return leaks(witness.violation) || (last.edge && program.edge(last.edge).instruction.op == Opcode::kFree);
}

// In the user's own code, if that is known.
SourcePosition place_of_violation(const Program& program, const Witness& witness, const SourceNames& names) {
  SourcePosition place;
  const ViolationKind kind = witness.violation.kind;
  if (leaks(witness.violation)) {
    if (const auto step = names.allocation_of(witness.violation.message)) place = names.place(*step);
  } else if (kind == ViolationKind::kAssertion || kind == ViolationKind::kMemory) {
    place = names.place(witness.steps.size() - 1);
  }
  if (kind == ViolationKind::kDeadlock)
    for (const WaitingThread& waiting : waiting_threads(program, witness))
      if (!place.known() || waiting.thread.index() != 0) place = names.end_of(waiting.thread, waiting.edge);
  if (const auto races = race_notes(program, witness); !races.empty()) place = races.back().position;
  return place;
}

}  // namespace

std::vector<std::string> story(const Program& program, const Witness& witness) {
  if (witness.steps.empty()) return {};
  return StoryTeller(program, witness).run();
}

Answer told(const Program& program, const Answer& answer) {
  Answer result = answer;
  if (!answer.witness || answer.witness->steps.empty()) return result;
  const SourceNames names(program, *answer.witness);
  if (!names.has_terms()) return result;
  const bool whole = is_about_whole_blocks(program, *answer.witness);
  result.reason = names.reworded(answer.reason, whole);
  Violation& violation = result.witness->violation;
  violation.message = names.reworded(violation.message, whole);
  const SourcePosition place = place_of_violation(program, *answer.witness, names);
  if (place.known()) violation.position = place;
  return result;
}

}  // namespace weir
