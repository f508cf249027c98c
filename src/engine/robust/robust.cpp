#include "engine/robust/robust.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/threads/side_by_side.hpp"
#include "engine/failure.hpp"
#include "engine/robust/attack_search.hpp"
#include "engine/robust/sections.hpp"
#include "engine/value_limits_answer.hpp"

namespace weir {

namespace {

// The attacks that the searches at the same time deal with: those of one attacker stay together.
std::vector<std::vector<bool>> divide(const std::vector<Attack>& attacks, const std::vector<bool>& possible,
                                      const RobustOptions& options) {
  std::vector<ThreadId> attackers;
  for (std::size_t i = 0; i < attacks.size(); ++i)
    if (possible[i] && (attackers.empty() || attackers.back() != attacks[i].thread))
      attackers.push_back(attacks[i].thread);
  // Without `all` one search is stopped by whatever it meets first, so that the answer does not depend on
  // the number of jobs.
  const std::size_t parts = options.all ? std::clamp<std::size_t>(attackers.size(), 1, options.jobs) : 1;
  std::vector<std::vector<bool>> shares(parts, std::vector<bool>(attacks.size()));
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    if (!possible[i]) continue;
    const auto attacker = std::ranges::find(attackers, attacks[i].thread) - attackers.begin();
    shares[static_cast<std::size_t>(attacker) % parts][i] = true;
  }
  return shares;
}

// Where people find the instruction: at its label, or else in its line.
std::string place(const Program& program, EdgeId id) {
  const Edge& edge = program.edge(id);
  const bool named = !program.location(edge.source).label.empty() || !edge.position.known();
  return named ? "at " + program.location_name(edge.source) : fmt::format("in line {}", edge.position.line);
}

Violation violation(const Program& program, const Attack& attack, RobustnessNotion notion) {
  const bool triangular = notion == RobustnessNotion::kTriangular;
  return {.kind = triangular ? ViolationKind::kTriangularRace : ViolationKind::kRobustness,
          .message = attack_text(program, attack, notion),
          .position = program.edge(attack.load).position};
}

class RobustCheck {
 public:
  RobustCheck(const Program& program, const RobustOptions& options, Context& context)
      : program_(program), options_(options), context_(context), attacks_(enumerate_attacks(program)) {}

  RobustAnswer run() {
    const std::vector<bool> possible = possible_attacks(program_, attacks_, options_.fences);
    search(possible);
    for (std::size_t i = 0; i < attacks_.size(); ++i)
      answer_.attacks.push_back(
          {attacks_[i], possible[i] ? AttackVerdict::kUndecided : AttackVerdict::kPruned});
    collect();
    conclude();
    publish();
    return std::move(answer_);
  }

 private:
  void search(const std::vector<bool>& possible) {
    if (std::ranges::none_of(possible, [](bool p) { return p; })) return;
    shares_ = divide(attacks_, possible, options_);
    for (std::size_t i = 0; i < shares_.size(); ++i)
      searches_.push_back(
          std::make_unique<AttackSearch>(program_, options_, attacks_, shares_[i], context_, i == 0));
    side_by_side(
        searches_.size(), [this](std::size_t i) { searches_[i]->run(); },
        [this] { context_.request_stop(StopReason::kInterrupt); });
  }

  void collect() {
    for (const auto& search : searches_)
      for (const FoundAttack& found : search->found()) {
        AttackResult& result = answer_.attacks[found.attack];
        result.verdict = AttackVerdict::kFeasible;
        result.witness = found.witness;
        result.witness->violation = violation(program_, result.attack, options_.notion);
        result.path = found.path;
      }
  }

  bool complete() const {
    return std::ranges::all_of(searches_, [](const auto& search) { return search->complete(); });
  }

  void conclude() {
    const std::size_t feasible = answer_.count(AttackVerdict::kFeasible);
    const bool all_searched = complete() && (options_.all || feasible == 0);
    for (AttackResult& result : answer_.attacks)
      if (result.verdict == AttackVerdict::kUndecided && all_searched)
        result.verdict = AttackVerdict::kInfeasible;
    if (feasible > 0) {
      answer_.verdict = RobustVerdict::kNotRobust;
      const auto first = std::ranges::find(answer_.attacks, AttackVerdict::kFeasible, &AttackResult::verdict);
      answer_.reason = first->witness->violation.message;
    } else if (all_searched && options_.notion == RobustnessNotion::kTriangular &&
               has_conditional_section(program_)) {
      answer_.reason =
          "there is no triangular race, but what a lock section or an atomic block does depends on what it "
          "reads; then that proves nothing";
    } else if (all_searched) {
      answer_.verdict = RobustVerdict::kRobust;
      explain_robust();
    }
    if (!complete()) explain_limits();
  }

  void explain_robust() {
    const std::size_t pruned = answer_.count(AttackVerdict::kPruned);
    const std::size_t searched = answer_.count(AttackVerdict::kInfeasible);
    if (answer_.attacks.empty()) {
      answer_.reason = "no thread has both a store and a load";
    } else if (searched == 0) {
      answer_.reason = fmt::format(
          "control flow and locked instructions rule out each of the {} pairs of a store and a load", pruned);
    } else {
      answer_.reason = fmt::format(
          "of {} pairs of a store and a load, control flow rules out {}, and a search of all computations {}",
          answer_.attacks.size(), pruned, searched);
    }
  }

  // Why the search ended early. If an attack was found all the same, it stands.
  void explain_limits() {
    std::string reason;
    for (const auto& search : searches_) {
      AttackSystem& system = search->system();
      if (system.memory().grown()) {
        explain_growth(program_, system.memory(), *system.memory().grown(), reason, answer_.bound,
                       answer_.diagnostics);
      } else if (system.cut) {
        reason = fmt::format("thread {} executes more than {} instructions in a row without touching memory",
                             program_.threads[*system.cut].name, options_.local_steps);
        bound("local_steps", std::to_string(options_.local_steps));
      } else if (const auto mixed = system.memory().mixed_sizes()) {
        reason = fmt::format("{} and {} overlap, but are accessed with different sizes",
                             program_.address_name(mixed->first), program_.address_name(mixed->second));
      } else if (system.gave_up) {
        const Diagnostic told = what_is_left_out(program_, system.gave_up);
        reason = told.message;
        if (std::ranges::find(answer_.diagnostics, reason, &Diagnostic::message) == answer_.diagnostics.end())
          answer_.diagnostics.push_back(told);
      } else if (system.after_release) {
        reason = fmt::format("memory is accessed after it was released {}, and then robustness says nothing",
                             place(program_, system.after_release));
      } else if (context_.stopped()) {
        reason = describe(context_.stop_reason());
      } else if (system.memory().left_range()) {
        reason = "no attack within the given ranges, but values leave them";
        explain_ranges(program_, options_.values, answer_.bound);
      }
    }
    if (answer_.verdict == RobustVerdict::kUnknown) answer_.reason = reason;
  }

  void bound(std::string what, std::string value) {
    const auto entry = std::pair{std::move(what), std::move(value)};
    if (std::ranges::find(answer_.bound, entry) == answer_.bound.end()) answer_.bound.push_back(entry);
  }

  void publish() {
    std::uint64_t states = 0, transitions = 0;
    for (const auto& search : searches_) {
      states += search->states();
      transitions += search->transitions();
    }
    answer_.statistics.set("states", states);
    answer_.statistics.set("transitions", transitions);
    answer_.statistics.set("searches", std::uint64_t{searches_.size()});
  }

  const Program& program_;
  const RobustOptions& options_;
  Context& context_;
  std::vector<Attack> attacks_;
  std::vector<std::vector<bool>> shares_;
  std::vector<std::unique_ptr<AttackSearch>> searches_;
  RobustAnswer answer_;
};

}  // namespace

const char* name(RobustVerdict verdict) {
  switch (verdict) {
    case RobustVerdict::kRobust: return "robust";
    case RobustVerdict::kNotRobust: return "not-robust";
    case RobustVerdict::kUnknown: return "unknown";
  }
  return "?";
}

std::vector<LocationId> crossed_locations(const Program& program, const std::vector<EdgeId>& path) {
  std::vector<LocationId> locations;
  for (std::size_t i = 1; i < path.size(); ++i) locations.push_back(program.edge(path[i]).source);
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

std::size_t RobustAnswer::count(AttackVerdict wanted) const {
  return static_cast<std::size_t>(std::ranges::count(attacks, wanted, &AttackResult::verdict));
}

std::string attack_text(const Program& program, const Attack& attack, RobustnessNotion notion) {
  const std::string& thread = program.thread(attack.thread).name;
  const std::string store = place(program, attack.store), load = place(program, attack.load);
  if (notion == RobustnessNotion::kTraces)
    return fmt::format("thread {} delays its store {} past its load {}", thread, store, load);
  return fmt::format("thread {} stores {} and loads {} while another thread writes what it loads", thread,
                     store, load);
}

RobustAnswer check_robust(const Program& program, const RobustOptions& options, Context& context) {
  return RobustCheck(program, options, context).run();
}

}  // namespace weir
