// Calls that are stopped, watched, and made at the same time. Nothing here depends on how fast the machine is: a
// search that has no end is stopped when it is known to run.
#include <atomic>
#include <chrono>
#include <thread>

#include "user.hpp"

namespace {

using namespace std::chrono_literals;
using weir::Model;
using weir::StopReason;
using weir::Verdict;

// Values without end.
const char* const kEndless = R"(weir 1
shared x
shared y
function f(me)
  register r
  s:
    r := load x -> t
  t:
    store x := r * 3 + me -> u
  u:
    r := load y -> v
  v:
    store y := r * 5 - me -> s
end
thread A = f(1)
thread B = f(2)
invariant x * 0 == 0
)";

weir::Program endless() {
  return expect_value(weir::Program::load(weir::Input::from_text(kEndless, "endless.weir")));
}

weir::CheckOptions endless_search() {
  weir::CheckOptions options{.model = Model::kTso, .engine = "explicit"};
  options.limits.values = 1'000'000'000'000;
  return options;
}

void expect_stopped(const weir::Result<weir::CheckAnswer>& result, StopReason reason) {
  const weir::CheckAnswer answer = expect_value(result);
  expect_verdict(answer, Verdict::kUnknown);
  expect(answer.stopped == reason,
         std::string("it was stopped by ") + weir::name(reason) + ", not " + weir::name(answer.stopped));
  write_reports(answer, std::string("stopped_") + weir::name(reason));
}

void cancel() {
  std::stop_source source;
  std::atomic<bool> runs = false;
  weir::CheckOptions options = endless_search();
  options.run.stop = source.get_token();
  options.run.progress = [&](const weir::Progress&) { runs = true; };
  std::chrono::steady_clock::time_point asked;
  std::jthread other([&] {
    while (!runs) std::this_thread::sleep_for(1ms);
    asked = std::chrono::steady_clock::now();
    source.request_stop();
  });
  const auto answer = weir::check(endless(), options);
  other.join();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - asked;
  std::cout << "cancelled within " << took.count() << " ms\n";
  expect_stopped(answer, StopReason::kCancelled);

  // What was stopped before it began: no search, and no compiler either.
  expect_stopped(weir::check(endless(), options), StopReason::kCancelled);
  if (!has_c) return;
  const auto program = weir::Program::load(examples / "c/dekker.c", {.run = {.stop = source.get_token()}});
  expect(!program && program.error().kind == weir::ErrorKind::kStopped, "nothing is compiled after a stop");
}

void limits() {
  weir::CheckOptions options = endless_search();
  options.run.timeout = 100ms;
  expect_stopped(weir::check(endless(), options), StopReason::kTimeout);
  options = endless_search();
  options.run.memory = 1;
  expect_stopped(weir::check(endless(), options), StopReason::kMemory);
}

void progress() {
  std::stop_source source;
  weir::CheckOptions options = endless_search();
  options.run.stop = source.get_token();
  weir::Progress last;
  int calls = 0;
  options.run.progress = [&](const weir::Progress& now) {
    last = now;
    if (++calls == 2) source.request_stop();
  };
  expect_stopped(weir::check(endless(), options), StopReason::kCancelled);
  expect(calls >= 2 && last.states > 0 && last.unit == "states" && last.seconds > 0 && !last.phase.empty(),
         "progress says how far it is");

  options.run.stop = {};
  options.run.progress = [](const weir::Progress&) { throw std::runtime_error("no more"); };
  const auto failed = weir::check(endless(), options);
  expect(!failed && failed.error().kind == weir::ErrorKind::kUsage &&
             failed.error().text.find("no more") != std::string::npos,
         "what the caller's function throws comes back as an error");
}

// About one program and about different ones; each thread knows what is right.
void ask_often(const weir::Program& dekker, const weir::Program& fenced, Model model, int times) {
  const Verdict expected = model == Model::kSc ? Verdict::kSafe : Verdict::kUnsafe;
  for (int i = 0; i < times; ++i) {
    const auto answer = expect_value(weir::check(dekker, {.model = model}));
    expect_verdict(answer, expected);
    expect(answer.execution.has_value() == (expected == Verdict::kUnsafe), "its own execution");
    expect_verdict(expect_value(weir::robust(fenced, {.run = {.jobs = 2}})), Verdict::kRobust);
  }
}

void ask_about_fairness() {
  if (!has_fairness) return;
  const weir::Program lock = example("fairness/test_and_set_lock.imp");
  for (const auto& [scheduler, verdict] :
       {std::pair(weir::Scheduler::kWeak, Verdict::kUnfair), {weir::Scheduler::kRandom, Verdict::kFair}})
    expect_verdict(expect_value(weir::fair(lock, {.request = {"3"}, .grant = {"5"}, .scheduler = scheduler})),
                   verdict);
}

void read_c() {
  if (!has_c) return;
  const weir::Program program = example("c/dekker.c");
  expect_verdict(expect_value(weir::robust(program)), Verdict::kNotRobust);
}

}  // namespace

void stop_and_watch() {
  cancel();
  limits();
  progress();
}

void ask_at_the_same_time() {
  const weir::Program dekker = example("dekker.imp"), fenced = example("peterson_fenced.imp");
  std::jthread first([&] { ask_often(dekker, fenced, Model::kSc, 10); });
  std::jthread second([&] { ask_often(dekker, fenced, Model::kTso, 10); });
  std::jthread third(ask_about_fairness), fourth(ask_about_fairness);
  std::jthread fifth(read_c), sixth(read_c);
}
