// Each question on an example whose answer is known, and each form of its answer.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "user.hpp"

namespace {

using weir::Model;
using weir::Verdict;

void check() {
  const weir::Program dekker = example("dekker.imp");
  const auto safe = expect_value(weir::check(dekker));
  expect_verdict(safe, Verdict::kSafe);
  expect(!safe.execution && !safe.replay_file(), "a safe program has no execution");
  write_reports(safe, "safe");

  const auto unsafe = expect_value(weir::check(dekker, {.model = Model::kTso}));
  expect_verdict(unsafe, Verdict::kUnsafe);
  expect(unsafe.model == Model::kTso && unsafe.stopped == weir::StopReason::kNone, "tso, and not stopped");
  if (!expect(unsafe.execution.has_value(), "an unsafe program has an execution")) return;
  const weir::Execution& execution = *unsafe.execution;
  expect(execution.violation.kind == weir::ViolationKind::kForbidden,
         "two threads are in the critical section");
  expect(execution.violation.place.line > 0, "the violation has a place");
  const auto is_flush = [](const weir::Step& step) { return step.action == "flush"; };
  const auto is_delayed = [](const weir::Step& step) { return step.buffered && step.address == "flag_0"; };
  expect(std::ranges::any_of(execution.steps, is_delayed), "a store to flag_0 is delayed");
  expect(std::ranges::all_of(execution.steps, [](const weir::Step& step) { return !step.text.empty(); }),
         "every step is told");
  expect(std::ranges::all_of(
             execution.steps,
             [&](const weir::Step& step) { return step.local || is_flush(step) || step.place.line > 0; }),
         "every access has a place");
  expect(
      std::ranges::any_of(unsafe.figures, [](const weir::Figure& figure) { return figure.name == "states"; }),
      "states are counted");
  write_reports(unsafe, "unsafe");
}

void check_otherwise() {
  const weir::Program program =
      expect_value(weir::Program::load(weir::Input::from_text(kStoreBuffering, "sb.weir")));
  const weir::Properties both{.goal = {"P:both", "Q:both"}};
  expect_verdict(expect_value(weir::check(program, {.properties = both})), Verdict::kSafe);
  for (const char* engine : {"explicit", "lazy", "dual"})
    expect_verdict(
        expect_value(weir::check(program, {.model = Model::kTso, .engine = engine, .properties = both})),
        Verdict::kUnsafe);
  const auto proved = expect_value(weir::check(program, {.properties = both, .certificate = true}));
  expect(proved.certificate.starts_with("{"), "a safe answer has a proof: " + proved.no_certificate);
  std::ofstream(outputs / "proof.certificate") << proved.certificate;
  const auto random = expect_value(
      weir::check(program, {.properties = both, .random = weir::RandomSchedules{.schedules = 5}}));
  expect_verdict(random, Verdict::kUnknown);
  const auto nothing = expect_value(weir::check(program));
  expect(!nothing.warnings.empty(), "a program without properties is warned of");
}

void check_array_systems() {
  const weir::Program lock = example("array/ticket_lock.cub");
  expect(lock.is_array_system() && lock.language() == "array", "a system of any number of processes");
  const auto safe = expect_value(weir::check(lock));
  expect_verdict(safe, Verdict::kSafe);
  write_reports(safe, "array_safe");
  const weir::Program mutex = example("array/naive_mutex.cub");
  const auto unsafe = expect_value(weir::check(mutex));
  expect_verdict(unsafe, Verdict::kUnsafe);
  expect(unsafe.processes == 2u && unsafe.execution.has_value(), "two processes show it");
  write_reports(unsafe, "array_unsafe");
  expect_verdict(expect_value(weir::check(mutex, {.copies = 2})), Verdict::kUnsafe);
}

void robust() {
  const weir::Program dekker = example("dekker.imp");
  const auto broken = expect_value(weir::robust(dekker));
  expect_verdict(broken, Verdict::kNotRobust);
  const weir::Attack* const attack = broken.attack();
  expect(attack != nullptr && attack->store.line > 0 && attack->load.line > 0, "the attack has places");
  write_reports(broken, "not_robust");
  expect_verdict(expect_value(weir::robust(example("peterson_fenced.imp"))), Verdict::kRobust);
  const auto all = expect_value(weir::robust(dekker, {.all = true}));
  expect(std::ranges::none_of(
             all.attacks,
             [](const weir::Attack& one) { return one.verdict == weir::AttackVerdict::kUndecided; }),
         "every attack is decided");
}

void fence() {
  const weir::Program dekker = example("dekker.imp");
  const auto answer = expect_value(weir::fence(dekker));
  expect_verdict(answer, Verdict::kRobust);
  expect(answer.fences.size() == static_cast<std::size_t>(answer.cost) && !answer.fences.empty(),
         "fences cost one each");
  for (const weir::Fence& fence : answer.fences)
    expect(fence.place.line > 0 && !fence.threads.empty() && !fence.without.empty(),
           "a fence has a place and a reason");
  expect(answer.edits.size() == 1 && answer.patch.starts_with("--- "), "there is a patch");
  write_reports(answer, "fences");
  const auto& edited = answer.edits.front();
  const auto fenced = expect_value(weir::Program::load(weir::Input::from_text(edited.after, "fenced.imp")));
  expect_verdict(expect_value(weir::check(fenced, {.model = Model::kTso})), Verdict::kSafe);
  const auto safety = expect_value(
      weir::fence(dekker, {.purpose = weir::FencePurpose::kSafety, .model = Model::kPso, .alternatives = 2}));
  expect_verdict(safety, Verdict::kSafe);
  const auto none = expect_value(weir::fence(example("peterson_fenced.imp")));
  expect_verdict(none, Verdict::kRobust);
  expect(none.fences.empty(), "what is robust needs no fence");
}

void explore() {
  const auto program = expect_value(weir::Program::load(weir::Input::from_text(kStoreBuffering, "sb.weir")));
  const auto under_sc = expect_value(weir::explore(program));
  expect_verdict(under_sc, Verdict::kDone);
  const auto under_tso = expect_value(weir::explore(program, {.model = Model::kTso}));
  expect(under_sc.executions + under_sc.blocked == 3, "store buffering has three executions under sc");
  expect(under_tso.executions + under_tso.blocked == 4, "and four under tso");
  write_reports(under_tso, "executions");
  const auto estimate = expect_value(weir::explore(program, {.only_estimate = true}));
  expect(estimate.estimate.has_value(), "there is an estimate");
}

void outcomes() {
  const weir::Program test = example("litmus/SB.litmus");
  const auto answer = expect_value(weir::outcomes(test, {.models = {Model::kSc, Model::kTso}}));
  expect_verdict(answer, Verdict::kDone);
  if (!expect(answer.models.size() == 2 && !answer.condition.empty(), "two models, and a condition")) return;
  expect(answer.models[0].observation == "Never" && answer.models[1].observation == "Sometimes",
         "store buffering is seen under tso only");
  expect(answer.models[0].outcomes.size() == 3 && answer.models[1].outcomes.size() == 4,
         "three outcomes, and four");
  for (const auto& [place, value] : answer.models[0].outcomes.front())
    expect(!place.empty() && std::holds_alternative<std::int64_t>(value), "an outcome is numbers");
  write_reports(answer, "outcomes");
  const auto program = expect_value(weir::Program::load(weir::Input::from_text(kStoreBuffering, "sb.weir")));
  expect_verdict(expect_value(weir::outcomes(program, {.cross_check = true})), Verdict::kDone);
}

void consistent() {
  const auto instance = examples / "consistency/store_buffering.json";
  const auto sc = expect_value(weir::consistent(instance));
  expect_verdict(sc, Verdict::kInconsistent);
  expect(!sc.cycle.empty(), "a cycle says why");
  write_reports(sc, "inconsistent");
  const auto tso = expect_value(weir::consistent(instance, {.model = Model::kTso}));
  expect_verdict(tso, Verdict::kConsistent);
  expect(!tso.steps.empty(), "there is an execution");
  write_reports(tso, "consistent");
}

void fair() {
  if (!has_fairness) {
    expect(!weir::fair(example("dekker.imp"), {.request = {"3"}, .grant = {"9"}}).ok(),
           "no fairness without BuDDy");
    return;
  }
  const auto served =
      expect_value(weir::fair(example("fairness/ticket_lock.imp"), {.request = {"3"}, .grant = {"4"}}));
  expect_verdict(served, Verdict::kFair);
  write_reports(served, "fair");
  const auto starved =
      expect_value(weir::fair(example("fairness/test_and_set_lock.imp"), {.request = {"3"}, .grant = {"5"}}));
  expect_verdict(starved, Verdict::kUnfair);
  expect(starved.execution && starved.execution->loop, "who starves does so in a loop");
  write_reports(starved, "unfair");

  const auto system = outputs / "two.aut";
  std::ofstream(system) << "des (0, 3, 2)\n(0, \"ask\", 1)\n(1, \"get\", 0)\n(1, \"wait\", 1)\n";
  const auto play = expect_value(weir::fair_system(system.string(), {.pairs = {"ask=>get"}}));
  expect_verdict(play, Verdict::kFair);
  expect(play.winning.size() == 2 && !play.loop.empty(), "both states win, by a play");
  write_reports(play, "system");
}

// What was saved can be replayed, also by another program; what was changed cannot.
void replay() {
  for (const auto& entry : std::filesystem::directory_iterator(outputs)) {
    if (entry.path().extension() != ".replay") continue;
    const auto again = expect_value(weir::replay(entry.path()));
    expect(again.execution.has_value(), entry.path().string() + " shows its execution");
    write_reports(again, "replayed_" + entry.path().stem().string());
  }
  std::ifstream file(outputs / "unsafe.replay");
  std::ostringstream text;
  text << file.rdbuf();
  std::string changed = text.str();
  expect(weir::replay(weir::Input::from_text(changed, "w.json")).ok(), "a text can be replayed");
  changed.replace(changed.find("Dekker"), 6, "Decker");
  const auto refused = weir::replay(weir::Input::from_text(changed, "w.json"));
  expect(!refused && refused.error().kind == weir::ErrorKind::kInput, "a changed file is refused");
}

}  // namespace

void ask_all_questions() {
  for (const auto question : {check, check_otherwise, check_array_systems, robust, fence, explore, outcomes,
                              consistent, fair, replay})
    question();
}
