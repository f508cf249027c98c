#include "engine/coverability/dual/check.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/coverability/dual/question.hpp"
#include "engine/coverability/dual/witness.hpp"
#include "engine/failure.hpp"
#include "engine/value_limits_answer.hpp"
#include "program/instances.hpp"

namespace weir {

namespace {

class DualCheck {
 public:
  DualCheck(const Program& program, const DualOptions& options, Context& context)
      : program_(program),
        options_(options),
        context_(context),
        unfolding_{.model = options.model,
                   .local_steps = options.local_steps,
                   .values = options.values,
                   .observe_alike = true} {
    answer().engine = "dual";
  }

  DualAnswer run() {
    const DualQuestion question(program_, options_, unfolding_, context_);
    if (question.obstacle().empty())
      search(question);
    else
      answer().reason = question.obstacle();
    return std::move(result_);
  }

 private:
  Answer& answer() { return result_.answer; }

  void search(const DualQuestion& question) {
    const ThreadMoves& moves = question.moves();
    look_at_checkpoint(moves);
    Attempt attempt = search(question, ThreadNumbers::kAny);
    attempt.statistics.publish(answer().statistics);
    answer().statistics.set("configurations", attempt.statistics.kept);
    if (attempt.run) {
      const bool least = options_.any_number && use_fewest_threads(question, attempt);
      conclude_unsafe(moves, attempt);
      if (options_.any_number) answer().threads->least = least;
    } else if (!attempt.complete) {
      answer().reason = describe(context_.stop_reason());
    } else {
      conclude_safe(moves, question.bad().obstacle, attempt.statistics);
    }
  }

  // A run to something bad: what is done, and by which threads.
  struct Run {
    const DualTarget* target = nullptr;
    std::vector<std::pair<std::uint32_t, const ThreadMove*>> moves;  // with the tag of the thread
    std::vector<std::uint32_t> codes;                                // per tag
  };
  struct Attempt {
    std::optional<Run> run;
    bool complete = false;
    BackwardStatistics statistics;
  };

  // --- Checkpoints: the searches that were completed, and the one that was not.

  // A completed search, in words: its figures, the number of the target it came to, and its labels.
  using CompletedSearch = std::vector<std::uint64_t>;

  static CompletedSearch in_words(const BackwardResult<DualSystem>& found) {
    const BackwardStatistics& figures = found.statistics;
    CompletedSearch words = {figures.generated, figures.subsumed, figures.removed,   figures.expanded,
                             figures.kept,      figures.depth,    found.path->target};
    words.insert(words.end(), found.path->labels.begin(), found.path->labels.end());
    return words;
  }

  static BackwardResult<DualSystem> from_words(const CompletedSearch& words) {
    constexpr std::size_t kFirstLabel = 7;
    if (words.size() < kFirstLabel) throw ArchiveError("a search is not told to its end");
    BackwardResult<DualSystem> found;
    found.complete = true;
    found.statistics = {words[0], words[1], words[2], words[3], words[4], words[5]};
    found.path.emplace().target = words[6];
    for (std::size_t i = kFirstLabel; i < words.size(); ++i)
      found.path->labels.push_back(static_cast<DualSystem::Label>(words[i]));
    return found;
  }

  // What posts and moves there are, and their numbers, must be as they were.
  static std::uint64_t fingerprint(const ThreadMoves& moves) {
    std::uint64_t hash = moves.post_count();
    for (const ThreadMove& move : moves.moves()) {
      for (const std::uint64_t word :
           {std::uint64_t{static_cast<std::uint8_t>(move.kind)}, std::uint64_t{move.source},
            std::uint64_t{move.target}, std::uint64_t{move.access.cell}, std::uint64_t{move.access.value}})
        hash = mix(hash, word);
      for (const auto* part : {&move.guard, &move.update})
        for (const CellValue& each : *part) hash = mix(hash, std::uint64_t{each.cell} << 16 | each.value);
    }
    return hash;
  }

  void look_at_checkpoint(const ThreadMoves& moves) {
    notes_.words = {{fingerprint(moves)}};
    if (options_.checkpoint == nullptr || !options_.checkpoint->found()) return;
    BackwardNotes saved;
    options_.checkpoint->look_at(saved);
    if (saved.words.empty() || saved.words[0] != notes_.words[0])
      throw ArchiveError("the moves of the threads have other numbers");
    completed_.assign(saved.words.begin() + 1, saved.words.end());
  }

  BackwardResult<DualSystem> search_or_remember(DualSystem& system, std::vector<DualConfiguration> targets) {
    const std::size_t number = notes_.words.size() - 1;
    auto found = number < completed_.size() ? from_words(completed_[number])
                                            : search_backward(system, std::move(targets),
                                                              {.phase = "backward",
                                                               .jobs = options_.jobs,
                                                               .checkpoint = options_.checkpoint,
                                                               .notes = notes_},
                                                              context_);
    if (found.path) notes_.words.push_back(in_words(found));
    return found;
  }

  Attempt search(const DualQuestion& question, std::uint32_t most_in_all) {
    const ThreadMoves& moves = question.moves();
    DualSystem system(moves, question.thread_numbers(most_in_all), options_.textbook);
    std::vector<DualConfiguration> targets;
    std::vector<const DualTarget*> chosen;
    for (const DualTarget& target : question.bad().targets) {
      if (target.draft.threads.size() > most_in_all) continue;
      targets.emplace_back(target.draft);
      chosen.push_back(&target);
    }
    const auto found = search_or_remember(system, std::move(targets));
    if (found.path && found.path->target >= chosen.size()) throw ArchiveError("there is no such target");
    Attempt attempt{std::nullopt, found.complete, found.statistics};
    if (found.path) attempt.run = follow(moves, system, *chosen[found.path->target], found.path->labels);
    return attempt;
  }

  // Looks for runs with fewer threads as long as there are some. False if it was stopped before it could
  // tell.
  bool use_fewest_threads(const DualQuestion& question, Attempt& attempt) {
    while (attempt.run->codes.size() > 1) {
      Attempt fewer = search(question, static_cast<std::uint32_t>(attempt.run->codes.size() - 1));
      if (!fewer.run) return fewer.complete;
      attempt = std::move(fewer);
    }
    return true;
  }

  void conclude_safe(const ThreadMoves& moves, const std::string& obstacle,
                     const BackwardStatistics& statistics) {
    if (!obstacle.empty()) {
      answer().reason = obstacle;
    } else if (moves.left_range()) {
      answer().reason = "nothing bad is reachable within the given ranges, but values leave them";
      explain_ranges(program_, options_.values, answer().bound);
    } else if (moves.gave_up()) {
      answer().reason =
          fmt::format("what follows was left out: {}", what_is_left_out(program_, moves.gave_up()).message);
    } else {
      answer().verdict = Verdict::kSafe;
      answer().reason = fmt::format(
          "no bad configuration is reachable{}, with buffers of any length: {} minimal configurations lead "
          "to one, "
          "none of them from the start",
          options_.any_number ? " with any number of threads" : "", statistics.kept);
    }
  }

  // Unsafe.

  // Follows the path from the bad configuration to the start, in which threads keep their tags.
  static Run follow(const ThreadMoves& moves, DualSystem& system, const DualTarget& target,
                    const std::vector<DualSystem::Label>& labels) {
    Run run{.target = &target};
    run.codes.resize(target.actors.size());
    for (const DualThread& thread : target.draft.threads) run.codes[thread.tag] = moves.code_of(thread.post);
    DualDraft draft = target.draft;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
      const auto fresh = static_cast<std::uint32_t>(run.codes.size());
      DualSystem::Followed before = system.follow(draft, *label, fresh);
      draft = std::move(before.draft);
      if (before.undone.move == DualSystem::kNoMove) continue;
      const ThreadMove& move = moves.move(before.undone.move);
      if (before.undone.thread == fresh) run.codes.push_back(moves.code_of(move.source));
      run.moves.emplace_back(before.undone.thread, &move);
    }
    std::ranges::reverse(run.moves);
    return run;
  }

  void conclude_unsafe(const ThreadMoves& moves, const Attempt& attempt) {
    const Run& run = *attempt.run;
    const std::vector<ThreadId> threads = cast(moves, *run.target, run);
    std::vector<ScheduledMove> schedule;
    for (const auto& [tag, move] : run.moves) schedule.push_back({threads[tag], move});
    const Program& program = options_.any_number ? result_.instance : program_;
    answer().witness = dual_witness(program, unfolding_, schedule);
    answer().verdict = Verdict::kUnsafe;
  }

  // Which thread, of the program or of the instance, plays which part.
  std::vector<ThreadId> cast(const ThreadMoves& moves, const DualTarget& target, const Run& run) {
    std::vector<std::vector<std::uint32_t>> parts(program_.threads.size());  // per thread: tags
    std::vector<std::uint32_t> left;
    for (std::uint32_t tag = 0; tag < run.codes.size(); ++tag) {
      const ThreadId actor = tag < target.actors.size() ? target.actors[tag] : ThreadId::none();
      if (actor)
        parts[actor.index()].push_back(tag);
      else
        left.push_back(tag);
    }
    for (const std::uint32_t tag : left) {
      const std::vector<ThreadId>& candidates = moves.closure().threads()[run.codes[tag]].threads;
      const auto free = std::ranges::find_if(
          candidates, [&](ThreadId t) { return is_template(t) || parts[t.index()].empty(); });
      WEIR_CHECK(free != candidates.end(), "no more threads than there are");
      parts[free->index()].push_back(tag);
    }
    std::vector<std::uint32_t> counts;
    std::vector<ThreadId> threads(run.codes.size());
    std::size_t next = 0;
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const std::size_t idle = parts[t].empty() && !is_template(ThreadId(t)) ? 1 : 0;
      counts.push_back(static_cast<std::uint32_t>(parts[t].size() + idle));
      for (const std::uint32_t tag : parts[t]) threads[tag] = ThreadId(next++);
      next += idle;
    }
    if (options_.any_number) make_instance(counts);
    return threads;
  }

  bool is_template(ThreadId t) const { return options_.any_number && !program_.thread(t).single; }

  void make_instance(const std::vector<std::uint32_t>& counts) {
    ThreadCounts& threads = answer().threads.emplace();
    for (std::size_t t = 0; t < counts.size(); ++t) {
      threads.counts.emplace_back(program_.threads[t].name, counts[t]);
      threads.total += counts[t];
    }
    result_.instance = with_instances(program_, counts);
  }

  const Program& program_;
  const DualOptions& options_;
  Context& context_;
  SystemOptions unfolding_;
  BackwardNotes notes_;
  std::vector<CompletedSearch> completed_;  // before the checkpoint that we began with
  DualAnswer result_;
};

}  // namespace

std::string dual_obstacle(const Program& program) {
  const Properties& asked = program.properties;
  if (asked.deadlock) return "deadlocks cannot be found by a backward search";
  if (asked.races || asked.leaks) return "races and leaks cannot be found by a backward search";
  return {};
}

DualAnswer check_dual(const Program& program, const DualOptions& options, Context& context) {
  return DualCheck(program, options, context).run();
}

}  // namespace weir
