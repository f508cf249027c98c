// Fairness needs BuDDy, whose tables are global: one question at a time.
#include "weir/questions.hpp"

#ifdef WEIR_HAS_BUDDY
#include <mutex>

#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/fairness_report.hpp"
#include "verify/fair/starvation.hpp"
#include "verify/fair/system.hpp"
#include "weir/inside/check_answer.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"
#else
#include "weir/inside/border.hpp"
#endif

namespace weir::v1 {

#ifndef WEIR_HAS_BUDDY

namespace {

Result<FairAnswer> without_buddy() {
  return at_border(
      []() -> FairAnswer { fail_usage("this Weir was built without BuDDy, which fairness needs"); });
}

}  // namespace

Result<FairAnswer> fair(const Program&, const FairOptions&) { return without_buddy(); }
Result<FairAnswer> fair_system(const std::string&, const FairSystemOptions&) { return without_buddy(); }

#else

namespace {

// Whoever waits for the decision diagrams can still be cancelled.
class Turn {
 public:
  explicit Turn(Call& call) {
    using namespace std::chrono_literals;
    while (!lock_.try_lock_for(10ms)) call.go_on();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { lock_.unlock(); }

 private:
  inline static std::timed_mutex lock_;
};

// Programs.

fairness::Scheduler scheduler_of(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::kAny: return fairness::Scheduler::kAny;
    case Scheduler::kWeak: return fairness::Scheduler::kWeak;
    case Scheduler::kStrong: return fairness::Scheduler::kStrong;
    case Scheduler::kRandom: return fairness::Scheduler::kDice;
  }
  fail_usage("there is no such scheduler");
}

const char* word(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::kAny: return "none";
    case Scheduler::kWeak: return "weak";
    case Scheduler::kStrong: return "strong";
    case Scheduler::kRandom: return "random";
  }
  return "?";
}

fairness::StarvationOptions starvation_options(const FairOptions& options) {
  fairness::StarvationOptions result{.model = inside(options.model),
                                     .scheduler = scheduler_of(options.scheduler),
                                     .fair_flushes = !options.lazy_flushes,
                                     .local_steps = options.limits.local_steps};
  constexpr std::uint32_t kMost = 1000;
  if (const auto buffer = options.limits.buffer) {
    if (*buffer == 0 || *buffer > kMost) fail_usage("fairness looks at buffers of 1 to 1000 stores");
    result.buffer = *buffer;
  }
  return result;
}

std::vector<fairness::Response> responses(const weir::Program& program, const FairOptions& options) {
  if (options.request.empty() || options.grant.empty())
    fail_usage("a question about fairness needs requests and grants",
               "as in .request = {\"P0:want\"}, .grant = {\"P0:cs\"}");
  auto found = verify::find_responses(program, options.request, options.grant);
  if (!found) fail_usage(found.error().message, found.error().hint);
  return std::move(*found);
}

RunInfo echoed(const Program& program, const FairOptions& options) {
  RunInfo info = run_info("fair", program, inside(options.model), options.run);
  echo_model(info);
  echo(info, "request", options.request);
  echo(info, "grant", options.grant);
  echo(info, "fairness", std::string(word(options.scheduler)));
  echo(info, "lazy-flushes", options.lazy_flushes);
  echo(info, options.limits);
  return info;
}

FairAnswer ask(const Program& program, const FairOptions& options, Call& call) {
  const Program::Content& content = program.content();
  auto report = std::make_shared<CheckReport>();
  report->program = content.read({}, call)->program;
  report->sources = content.c_sources();
  const auto asked = responses(report->program, options);
  const fairness::StarvationOptions question = starvation_options(options);
  {
    const Turn turn(call);
    report->answer = verify::check_starvation(report->program, asked, question, call.context());
  }
  report->run = echoed(program, options);
  FairAnswer answer;
  answer_check(answer, answer.execution, std::move(report), call);
  return answer;
}

// Systems.

struct PlayReport final : Answer::Report {
  fairness::Question question;
  FairnessVerdict found;

  FairnessReport parts() const { return {question.arena, found, false}; }
  std::string json() const override { return fairness_json(parts(), run); }
  std::string text() const override { return fairness_text(parts(), run, kPlain); }
  std::string page() const override { fail_usage("pages show executions of programs, and this is a system"); }
};

TransitionSystem load_vertices(const std::string& file, const FairSystemOptions& options) {
  if (options.random_share && !(*options.random_share >= 0 && *options.random_share <= 1))
    fail_usage("the share of states with chance is between 0 and 1");
  if (!file.ends_with(".tra") && !options.labels.empty()) fail_usage("labels belong to a .tra file");
  TransitionSystem system = unwrap(verify::load_system({.file = file,
                                                        .labels = options.labels,
                                                        .random_vertices = options.random_vertices,
                                                        .random_share = options.random_share,
                                                        .seed = options.seed}));
  if (system.given == 0) fail_usage(file + ": the system has no states");
  return system;
}

verify::Objective objective(const TransitionSystem& system, const FairSystemOptions& options) {
  const bool pairs = !options.pairs.empty() || !options.pair_file.empty();
  if (!options.automaton.empty() && pairs) fail_usage("an automaton takes the place of pairs");
  if (options.automaton.empty() && options.negate) fail_usage("what can be negated is an automaton");
  auto found = verify::load_objective(system, {.automaton = options.automaton,
                                               .negate = options.negate,
                                               .pairs = options.pairs,
                                               .pair_file = options.pair_file});
  if (found) return std::move(*found);
  if (const auto* about_file = std::get_if<InputError>(&found.error())) fail_input(*about_file);
  const auto& problem = std::get<weir::Diagnostic>(found.error());
  fail_usage(problem.message, problem.hint);
}

RunInfo echoed(const std::string& file, const FairSystemOptions& options) {
  RunInfo info = run_info("fair", Input(file), weir::Model::kSc, options.run);
  echo(info, "pair", options.pairs);
  if (!options.pair_file.empty()) echo(info, "pairs", options.pair_file);
  if (!options.automaton.empty()) echo(info, "automaton", options.automaton);
  echo(info, "negate", options.negate);
  if (options.random_share) echo(info, "random", *options.random_share);
  return info;
}

// Vertices that the user knows.
std::vector<std::uint32_t> given(const Arena& arena, const std::vector<Vertex>& vertices) {
  std::vector<std::uint32_t> result;
  for (const Vertex vertex : vertices)
    if (vertex < arena.given) result.push_back(vertex);
  return result;
}

Verdict verdict_of(const FairnessVerdict& found) {
  if (!found.stopped.empty()) return Verdict::kUnknown;
  return found.fair ? Verdict::kFair : Verdict::kUnfair;
}

FairAnswer ask(const std::string& file, const FairSystemOptions& options, Call& call) {
  const TransitionSystem system = load_vertices(file, options);
  verify::Objective asked = objective(system, options);
  auto report = std::make_shared<PlayReport>();
  {
    const Turn turn(call);
    report->found = verify::solve_objective(asked.question, {}, call.context());
  }
  report->question = std::move(asked.question);
  report->run = echoed(file, options);
  note_cost(report->run, call);

  const FairnessVerdict& found = report->found;
  const std::string reason = fairness_reason(report->parts());
  FairAnswer answer;
  tell(answer, {verdict_of(found), reason, {}, found.algorithm, weir::Model::kSc, found.statistics}, call);
  add_shown(answer.warnings, asked.warnings, asked.sources);
  const Arena& arena = report->question.arena;
  if (answer.verdict != Verdict::kUnknown)
    answer.winning.assign(found.winning.begin(),
                          found.winning.begin() + static_cast<std::ptrdiff_t>(arena.given));
  if (found.lasso) {
    answer.stem = given(arena, found.lasso->stem);
    answer.loop = given(arena, found.lasso->loop);
  }
  answer.report = std::move(report);
  return answer;
}

}  // namespace

Result<FairAnswer> fair(const Program& program, const FairOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(program, options, call); });
}

Result<FairAnswer> fair_system(const std::string& file, const FairSystemOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(file, options, call); });
}

#endif

}  // namespace weir::v1
