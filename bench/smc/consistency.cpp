// Times of the algorithms for consistency verification on generated instances, for consistency.py: one line
// of JSON per instance and algorithm. `consistency_bench MODEL REALIZABLE UNREALIZABLE SECONDS [atomics]`:
// how many instances of each kind, and the limit per run.
//
// The instances are made as those of [Toman21, Section 5.4.1] come about during stateless model checking: a
// run of a random program gives the events and a reads-from map that is realizable; redirecting one read to
// another write, as a model checker does when it looks for the next class, gives one that need not be. As
// there, realizable instances count only if they are not too easy, here for the naive algorithm without
// closure: that favours the other one. Unrealizable ones are not selected, except that those are left out
// in which a read contradicts its own thread, since no algorithm gets to see them.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/consistency/support/generator.hpp"
#include "engine/consistency/verifier.hpp"

namespace {

using namespace weir;
using namespace weir::consistency;
using namespace weir::consistency::test;
using Clock = std::chrono::steady_clock;

struct Variant {
  const char* name;
  Algorithm algorithm;
  ClosureUse closure;
};
constexpr Variant kVariants[] = {{"verify", Algorithm::kVerify, ClosureUse::kNever},
                                 {"naive", Algorithm::kNaive, ClosureUse::kNever},
                                 {"verify+closure", Algorithm::kVerify, ClosureUse::kFirst},
                                 {"naive+closure", Algorithm::kNaive, ClosureUse::kFirst},
                                 {"verify+late closure", Algorithm::kVerify, ClosureUse::kWhenHard}};

struct Measurement {
  Outcome outcome;
  double seconds;
  std::uint64_t prefixes;
};

// Asks a run to stop when its time is over. One thread for all runs: starting and ending one for each would
// take longer than the runs.
class Alarm {
 public:
  explicit Alarm(double seconds)
      : limit_(seconds), thread_([this](std::stop_token token) { watch(token); }) {}

  // `context` is watched until `done` is called.
  void start(Context* context) { set(context); }
  void done() { set(nullptr); }

 private:
  void set(Context* context) {
    const std::lock_guard lock(mutex_);
    context_ = context;
    begin_ = Clock::now();
  }
  void watch(std::stop_token token) {
    while (!token.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::lock_guard lock(mutex_);
      if (context_ != nullptr && std::chrono::duration<double>(Clock::now() - begin_).count() > limit_)
        context_->request_stop(StopReason::kTimeout);
    }
  }

  const double limit_;
  std::mutex mutex_;
  Context* context_ = nullptr;
  Clock::time_point begin_;
  std::jthread thread_;
};

// Of this thread: other work on the machine does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The average of five runs after one that does not count, or of fewer if they take long.
Measurement measure(Verifier& verifier, const Instance& instance, Model model, const Variant& variant,
                    Alarm& alarm) {
  constexpr double kLong = 0.02;
  Measurement result{Outcome::kUnknown, 0, 0};
  unsigned runs = 0;
  for (bool warm = false; runs < 5 && result.seconds < kLong;) {
    Context context;
    alarm.start(&context);
    const double begin = processor_seconds();
    result.outcome = verifier.verify(instance, {model, variant.algorithm, variant.closure}, &context);
    const double seconds = processor_seconds() - begin;
    alarm.done();
    if (std::exchange(warm, true) || seconds >= kLong) {
      result.seconds += seconds;
      ++runs;
    }
  }
  result.seconds /= runs;
  result.prefixes = verifier.figures().prefixes;
  return result;
}

Shape shape_of(std::uint64_t seed, Model model, bool atomics) {
  std::mt19937_64 random(seed);
  Shape shape;
  shape.threads = 3 + random() % 3;
  const unsigned budget = model == Model::kTso ? 60 + random() % 60 : 30 + random() % 40;
  shape.events = budget / shape.threads;
  shape.variables = 2 + random() % 4;
  shape.updates = atomics ? 10 + random() % 20 : 0;
  shape.fences = random() % 3 == 0 ? random() % 8 : 0;
  shape.store_fences = 0;
  shape.writes = 35 + random() % 20;
  shape.early_commits = 20 + random() % 60;
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: consistency_bench MODEL REALIZABLE UNREALIZABLE SECONDS [atomics]\n");
    return 1;
  }
  const auto model = parse_model(argv[1]);
  if (!model || *model == Model::kSc) return 1;
  unsigned wanted[2] = {static_cast<unsigned>(std::atoi(argv[3])), static_cast<unsigned>(std::atoi(argv[2]))};
  Alarm alarm(std::atof(argv[4]));
  const bool atomics = argc > 5 && std::strcmp(argv[5], "atomics") == 0;
  constexpr std::uint64_t kInteresting = 20'000;  // prefixes of an algorithm without closure
  // One for each algorithm, so that none works in the memory that another left behind.
  Verifier judge, verifiers[std::size(kVariants)];
  for (std::uint64_t seed = 1; wanted[0] + wanted[1] > 0 && seed < 1'000'000; ++seed) {
    Shape shape = shape_of(seed, *model, atomics);
    shape.redirected = wanted[1] == 0 || (wanted[0] > 0 && seed % 2 == 0) ? 1 : 0;
    const Instance instance = random_instance(seed, shape, *model);
    const bool realizable = judge.verify(instance, {*model}) == Outcome::kConsistent;
    if (judge.contradiction() || wanted[realizable] == 0) continue;
    const Measurement naive = measure(verifiers[1], instance, *model, kVariants[1], alarm);
    if (realizable && naive.prefixes < kInteresting) continue;
    --wanted[realizable];
    for (const Variant& variant : kVariants) {
      const Measurement m = &variant == &kVariants[1]
                                ? naive
                                : measure(verifiers[&variant - kVariants], instance, *model, variant, alarm);
      fmt::print(
          R"({{"seed": {}, "events": {}, "threads": {}, "realizable": {}, "variant": "{}", "seconds": {:.9f}, )"
          R"("prefixes": {}, "decided": {}}})"
          "\n",
          seed, instance.events(), instance.threads(), realizable, variant.name, m.seconds, m.prefixes,
          m.outcome != Outcome::kUnknown);
    }
  }
  return 0;
}
