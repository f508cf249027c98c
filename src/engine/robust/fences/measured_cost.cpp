#include "engine/robust/fences/measured_cost.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/hash.hpp"
#include "engine/explicit/witness_builder.hpp"

namespace weir {

namespace {

constexpr std::uint64_t kBatch = 100;   // schedules between two looks at the error
constexpr double kRarelyPassed = 0.05;  // times in an execution
constexpr double kConfidence = 1.96;    // standard deviations: 95 %
constexpr std::size_t kLargestTables = 1 << 20;

class Measuring {
 public:
  Measuring(const Program& program, const MeasureOptions& options, Context& context)
      : program_(program),
        options_(options),
        context_(context),
        sum_(program.locations.size()),
        squares_(program.locations.size()) {}

  Measurement run() {
    std::uint64_t steps = 0;
    for (std::uint64_t number = 0; number < options_.most_schedules && steps < options_.most_steps;
         ++number) {
      if (context_.stopped()) break;
      const auto length = schedule(number);
      if (!length) {
        result_.ends = false;
        return std::move(result_);
      }
      steps += *length;
      ++result_.schedules;
      if (result_.schedules % kBatch == 0 && error() <= options_.relative_error) break;
    }
    result_.relative_error = error();
    for (const double sum : sum_)
      result_.times.push_back(sum > 0 ? sum / schedules() : 3 / std::max(schedules(), 1.0));
    return std::move(result_);
  }

 private:
  double schedules() const { return static_cast<double>(result_.schedules); }

  // The largest relative error of a location, as the head of the header has it.
  double error() const {
    double largest = 0;
    for (std::size_t l = 0; l < sum_.size(); ++l) {
      if (sum_[l] == 0) continue;
      const double mean = sum_[l] / schedules();
      const double variance = std::max(0.0, squares_[l] / schedules() - mean * mean);
      const double half_width = kConfidence * std::sqrt(variance / schedules());
      largest = std::max(largest, half_width / std::max(mean, kRarelyPassed));
    }
    return largest;
  }

  // The length; nothing if it did not end.
  std::optional<std::uint64_t> schedule(std::uint64_t number) {
    if (!system_ || tables() > kLargestTables)
      system_ = std::make_unique<System>(
          program_, SystemOptions{.model = Model::kSc, .local_steps = options_.local_steps});
    draw_ = mix(options_.seed, number);
    GlobalState state = system_->initial();
    WitnessBuilder told(*system_);
    told.start_all();
    std::uint64_t steps = 0;
    while (choose(state)) {
      if (++steps > options_.longest_schedule) return std::nullopt;
      told.append(
          {thread_, state.components[thread_], state.memory, step_, move_.outcome, move_.fails, move_.value});
      if (move_.fails) break;
      state.components[thread_] = move_.component;
      state.memory = move_.memory;
    }
    count(told.finish({}));
    return steps;
  }

  std::size_t tables() const {
    std::size_t size = system_->memory().size();
    for (std::size_t t = 0; t < system_->thread_count(); ++t) size += system_->view(t).size();
    return size;
  }

  // Draws a thread that can move, and one of its moves; false if there is none.
  bool choose(const GlobalState& state) {
    std::uint64_t threads = 0;
    for (std::size_t thread = 0; thread < system_->thread_count(); ++thread) {
      std::uint64_t moves = 0;
      bool taken = false;
      for (const Step& step : system_->view(thread).steps(state.components[thread]))
        system_->execute(thread, state.components[thread], state.memory, step, [&](const Move& move) {
          if (moves == 0) taken = below(++threads) == 0;
          if (below(++moves) != 0 || !taken) return;
          thread_ = thread;
          move_ = move;
          step_ = step;
        });
    }
    return threads > 0;
  }

  std::uint64_t below(std::uint64_t limit) { return (draw_ = mix(draw_, limit)) % limit; }

  void count(const Witness& witness) {
    std::vector<double> times(sum_.size());
    for (const WitnessStep& step : witness.steps)
      if (step.kind != WitnessStep::Kind::kFlush && step.edge)
        ++times[program_.edge(step.edge).source.index()];
    for (std::size_t l = 0; l < times.size(); ++l) {
      sum_[l] += times[l];
      squares_[l] += times[l] * times[l];
    }
  }

  const Program& program_;
  const MeasureOptions& options_;
  Context& context_;
  std::unique_ptr<System> system_;
  std::vector<double> sum_, squares_;  // per location
  Measurement result_;

  std::uint64_t draw_ = 0;
  std::size_t thread_ = 0;  // that was chosen
  Step step_;
  Move move_;
};

}  // namespace

Measurement measure_executions(const Program& program, const MeasureOptions& options, Context& context) {
  return Measuring(program, options, context).run();
}

}  // namespace weir
