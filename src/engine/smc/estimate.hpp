// How many executions are there? Random samples of the tree of branches say it without visiting them all. A
// sample goes down level by level and keeps a bounded number of branches of each level, chosen with equal
// probability; what is found below counts for the ones that were dropped. On average that is the number of
// leaves [Knuth75 for one branch, Vaisman17 for several, which are much closer to the mean].
//
// The answer is an interval. Few samples have many executions and many samples have few, so the interval
// supposes a mean whose logarithm is about normally distributed.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

#include "base/context.hpp"

namespace weir {

struct ExecutionEstimate {
  double mean = 0, low = 0, high = 0;  // executions; the interval has a confidence of 95 %
  std::uint64_t samples = 0;
};

// Mean and variance of numbers that come one by one [Welford62].
class RunningMean {
 public:
  void add(double number) {
    ++count_;
    const double step = number - mean_;
    mean_ += step / static_cast<double>(count_);
    squares_ += step * (number - mean_);
  }

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  // The standard error of the mean, as a part of the mean.
  double relative_error() const {
    if (count_ < 2 || mean_ == 0) return 1;
    const auto n = static_cast<double>(count_);
    return std::sqrt(squares_ / (n - 1) / n) / mean_;
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

// Takes samples until the interval is narrow or it is enough. `sample(random)` gives one, or none if there
// are to be no more.
class ExecutionEstimator {
 public:
  template <class Enough, class Sample>
  void improve(const Context& context, Enough&& enough, Sample&& sample) {
    constexpr std::uint64_t kFewest = 30;
    constexpr double kSmallError = 0.01;
    while (!context.stopped() && !enough()) {
      const std::optional<double> found = sample(random_);
      if (!found) return;
      samples_.add(*found);
      if (samples_.count() >= kFewest && samples_.relative_error() <= kSmallError) return;
    }
  }

  bool known() const { return samples_.count() > 1; }

  ExecutionEstimate estimate() const {
    const double factor = std::exp(quantile(samples_.count()) * samples_.relative_error());
    return {samples_.mean(), samples_.mean() / factor, samples_.mean() * factor, samples_.count()};
  }

 private:
  // About Student's quantile for 95 %.
  static double quantile(std::uint64_t samples) {
    constexpr double kNormal = 1.96;
    if (samples < 2) return kNormal;
    return kNormal * (1 + (kNormal * kNormal + 1) / (4 * static_cast<double>(samples - 1)));
  }

  std::mt19937_64 random_{1};
  RunningMean samples_;
};

}  // namespace weir
