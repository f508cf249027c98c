#include "engine/robust/parameterized.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "engine/coverability/petri/certificate.hpp"
#include "engine/coverability/petri/forward.hpp"
#include "engine/failure.hpp"
#include "engine/robust/attack_net.hpp"
#include "engine/value_limits_answer.hpp"
#include "program/instances.hpp"

namespace weir {

namespace {

using Counts = std::vector<std::uint32_t>;

// Without a net: instances with so many threads are checked, but no larger ones after so many instances.
constexpr std::uint32_t kMostThreads = 6;
constexpr std::uint64_t kManyInstances = 100;

// Checking takes the square of the elements, times the transitions.
constexpr std::size_t kLargestCheckedCertificate = 2'000;

// Every way to choose `total` threads among `codes` templates, first more of the first.
class Choices {
 public:
  Choices(std::size_t codes, std::uint32_t total) : counts(codes) { counts[0] = total; }

  bool next() {
    const std::size_t last = counts.size() - 1;
    std::size_t at = last;
    while (at > 0 && counts[at - 1] == 0) --at;
    if (at == 0) return false;
    const std::uint32_t rest = std::exchange(counts[last], 0);
    --counts[at - 1];
    counts[at] = rest + 1;
    return true;
  }

  Counts counts;
};

class ParameterizedCheck {
 public:
  ParameterizedCheck(const Program& program, const RobustOptions& options, Context& context)
      : program_(program), options_(options), context_(context), attacks_(enumerate_attacks(program)) {
    options_.all = false;
  }

  ParameterizedAnswer run() {
    possible_ = possible_attacks(program_, attacks_, options_.fences);
    if (knows_self(program_)) {
      answer_.reason = "threads know their number, so copies of them do not behave alike";
    } else if (options_.notion != RobustnessNotion::kTraces) {
      answer_.reason = "triangular races are looked for among a given number of threads only";
    } else if (std::ranges::none_of(possible_, [](bool p) { return p; })) {
      answer_.verdict = RobustVerdict::kRobust;
      answer_.reason = attacks_.empty()
                           ? "no thread has both a store and a load"
                           : fmt::format(
                                 "control flow and locked instructions rule out each of the {} pairs of a "
                                 "store and a load, for any number of threads",
                                 attacks_.size());
    } else if (const auto single = std::ranges::find(program_.threads, true, &Thread::single);
               single != program_.threads.end()) {
      answer_.reason = fmt::format(
          "thread {} is no template: there is exactly one, which the net for any number of threads cannot "
          "say",
          single->name);
    } else {
      search();
    }
    if (answer_.verdict != RobustVerdict::kNotRobust) forget_instance();
    return std::move(answer_);
  }

 private:
  void search() {
    const ValueClosure closure(
        program_, attack_net_automata(program_, options_),
        {.values_per_address = options_.most_closed_values, .ranges = options_.values.ranges}, context_);
    for (const ClosedThread& code : closure.threads()) first_of_code_.push_back(code.threads[0]);
    if (find_attack(2, 2)) return conclude_attack();  // cheap, and nothing is smaller
    if (!closure.closed()) return without_closure(closure);
    const AttackNet net = build_attack_net(program_, closure, options_, attacks_, possible_);
    switch (search_forward(net)) {
      case CoverVerdict::kNotCoverable: return conclude_robust(net, "forward");
      case CoverVerdict::kCoverable:
        if (find_attack(3, 3)) return conclude_attack();
        break;
      case CoverVerdict::kStopped: break;
    }
    const CoverResult result = coverable(net.net, net.success, {.phase = "robustness, any number"}, context_);
    result.statistics.publish(answer_.statistics);
    switch (result.verdict) {
      case CoverVerdict::kStopped: answer_.reason = describe(context_.stop_reason()); return;
      case CoverVerdict::kNotCoverable: check_basis(net, result); return conclude_robust(net, "backward");
      case CoverVerdict::kCoverable: return find_instance(demand(net, result));
    }
  }

  // Robust.

  // If it ends without an attack, that is quick, and what it found can always be checked. How many threads an
  // attack takes is left to the other search.
  CoverVerdict search_forward(const AttackNet& net) {
    const ForwardResult result =
        coverable_forward(net.net, net.success, {.phase = "robustness, any number"}, context_);
    answer_.statistics.set("markings", result.markings);
    if (result.verdict != CoverVerdict::kNotCoverable) return result.verdict;
    const std::string mistake = check_invariant(net.net, net.success, result.invariant);
    if (!mistake.empty()) throw InternalError("the invariant of robustness is wrong: " + mistake);
    answer_.statistics.set("certificate checked", std::uint64_t{1});
    return result.verdict;
  }

  void check_basis(const AttackNet& net, const CoverResult& result) {
    const bool small = result.certificate.basis.size() <= kLargestCheckedCertificate;
    if (small) {
      const std::string mistake = check_certificate(net.net, net.success, result.certificate);
      if (!mistake.empty()) throw InternalError("the certificate of robustness is wrong: " + mistake);
    }
    answer_.statistics.set("certificate checked", std::uint64_t{small});
  }

  void conclude_robust(const AttackNet& net, std::string_view direction) {
    if (net.left_range) {
      answer_.reason = "no number of threads has an attack within the given ranges, but values leave them";
      explain_ranges(program_, options_.values, answer_.bound);
      return;
    }
    if (net.gave_up) {
      answer_.diagnostics.push_back(what_is_left_out(program_, net.gave_up));
      answer_.reason = answer_.diagnostics.back().message;
      return;
    }
    answer_.verdict = RobustVerdict::kRobust;
    answer_.reason = fmt::format(
        "for any number of threads: of {} pairs of a store and a load, control flow rules out {}, and a "
        "{} search the other {}",
        attacks_.size(), std::ranges::count(possible_, false), direction,
        std::ranges::count(possible_, true));
  }

  // Not robust.

  Counts demand(const AttackNet& net, const CoverResult& result) {
    const std::string mistake = check_run(net.net, net.success, result.run);
    if (!mistake.empty()) throw InternalError("the run of the attack net is wrong: " + mistake);
    Counts counts;
    for (const PlaceId start : net.starts) {
      const auto found = std::ranges::find(result.run.demand, start, &Tokens::place);
      counts.push_back(found == result.run.demand.end() ? 0 : found->count);
    }
    return counts;
  }

  // The smallest instance with an attack, at most the one that must have it.
  void find_instance(const Counts& demanded) {
    const std::uint32_t most = std::accumulate(demanded.begin(), demanded.end(), std::uint32_t{0});
    if (find_attack(looked_at_ + 1, most - 1) || has_attack(demanded)) return conclude_attack();
    if (answer_.attack.verdict == RobustVerdict::kRobust)
      throw InternalError("the attack net has an attack that the instance does not have");
    answer_.reason = fmt::format("an attack by at most {} threads was found, but not confirmed: {}", most,
                                 answer_.attack.reason);
    answer_.bound = answer_.attack.bound;
  }

  // Is there an attack with so many threads? One thread alone is always robust.
  bool find_attack(std::uint32_t fewest, std::uint32_t most) {
    for (std::uint32_t total = fewest; total <= most; ++total) {
      looked_at_ = total;
      bool all_robust = true;
      Choices choices(first_of_code_.size(), total);
      do {
        if (!context_.stopped() && has_attack(choices.counts)) return true;
        all_robust &= answer_.attack.verdict == RobustVerdict::kRobust && !context_.stopped();
      } while (!context_.stopped() && choices.next());
      smaller_robust_ &= all_robust;
    }
    return false;
  }

  // Keeps the instance and its answer.
  bool has_attack(const Counts& per_code) {
    answer_.counts.assign(program_.threads.size(), 0);
    for (std::size_t code = 0; code < per_code.size(); ++code)
      answer_.counts[first_of_code_[code].index()] = per_code[code];
    answer_.instance = with_instances(program_, answer_.counts);
    answer_.threads = static_cast<std::uint32_t>(answer_.instance.threads.size());
    answer_.attack = check_robust(answer_.instance, options_, context_);
    answer_.statistics.set("instances", ++instances_);
    return answer_.attack.verdict == RobustVerdict::kNotRobust;
  }

  void forget_instance() {
    answer_.counts.clear();
    answer_.threads = 0;
    answer_.instance = {};
    answer_.attack = {};
  }

  void conclude_attack() {
    answer_.verdict = RobustVerdict::kNotRobust;
    answer_.least = smaller_robust_;
    answer_.reason = fmt::format("with {}{} threads, {}: {}", answer_.least ? "" : "at most ",
                                 answer_.threads, composition(), answer_.attack.reason);
  }

  // "2 of reader and 1 of writer"
  std::string composition() const {
    std::vector<std::string> parts;
    for (std::size_t t = 0; t < answer_.counts.size(); ++t)
      if (answer_.counts[t] > 0)
        parts.push_back(fmt::format("{} of {}", answer_.counts[t], program_.threads[t].name));
    std::string text = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) text += (i + 1 < parts.size() ? ", " : " and ") + parts[i];
    return text;
  }

  // Values that do not settle: there is no net. A few threads, or one of each, may have an attack all the same.
  void without_closure(const ValueClosure& closure) {
    const auto codes = static_cast<std::uint32_t>(first_of_code_.size());
    for (std::uint32_t total = 3; total <= kMostThreads && instances_ < kManyInstances; ++total)
      if (find_attack(total, total)) return conclude_attack();
    if (codes > looked_at_ && !context_.stopped() && has_attack(Counts(codes, 1))) {
      smaller_robust_ &= codes == looked_at_ + 1;
      return conclude_attack();
    }
    explain(closure);
  }

  void explain(const ValueClosure& closure) {
    if (context_.stopped()) {
      answer_.reason = describe(context_.stop_reason());
      return;
    }
    answer_.reason = closure.reason();
    switch (closure.end()) {
      case ValueClosure::End::kTooManyValues: {
        const std::string name = program_.address_name(closure.address());
        answer_.bound.emplace_back("values", std::to_string(options_.most_closed_values));
        warn(fmt::format("limit it, as in --range {}=0:15, to search that part", name));
        return;
      }
      case ValueClosure::End::kCut:
        answer_.bound.emplace_back("local_steps", std::to_string(options_.local_steps));
        return;
      default: return;
    }
  }

  void warn(std::string hint) {
    answer_.diagnostics.push_back({Severity::kWarning, answer_.reason, {}, std::move(hint)});
  }

  const Program& program_;
  RobustOptions options_;
  Context& context_;
  std::vector<Attack> attacks_;
  std::vector<bool> possible_;
  std::vector<ThreadId> first_of_code_;
  std::uint64_t instances_ = 0;  // checked
  bool smaller_robust_ = true;   // those with fewer threads than the last were
  std::uint32_t looked_at_ = 0;  // all instances with up to so many threads
  ParameterizedAnswer answer_;
};

}  // namespace

ParameterizedAnswer check_robust_any(const Program& program, const RobustOptions& options, Context& context) {
  return ParameterizedCheck(program, options, context).run();
}

}  // namespace weir
