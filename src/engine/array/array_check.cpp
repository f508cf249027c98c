#include "engine/array/array_check.hpp"

#include <memory>

#include "engine/array/guesses.hpp"

namespace weir::array {

namespace {

constexpr std::uint64_t kFirstTurn = 200;  // regions
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint32_t kOrders = 4;  // of guesses, tried in every round

class Turns {
 public:
  Turns(const Vocabulary& vocabulary, const ArrayOptions& options, Context& context)
      : vocabulary_(vocabulary), options_(options), context_(context) {}

  ArrayAnswer run() {
    if (options_.inference == Inference::kNever) {
      turn({}, ~std::uint64_t{0});
      return std::move(answer_);
    }
    for (std::uint64_t most = kFirstTurn;; most *= kGrowth) {
      if (options_.inference == Inference::kAuto && turn({}, most)) return std::move(answer_);
      for (std::uint32_t order = 0; order < kOrders; ++order)
        if (turn(guesser(order), most)) return std::move(answer_);
    }
  }

 private:
  // True: there is an answer, or no time for one.
  bool turn(const Guesser& guesser, std::uint64_t most) {
    answer_.search = search_backward(vocabulary_, guesser, context_, {options_.order, most});
    answer_.regions += answer_.search.regions;
    answer_.guessed = answer_.search.guesses > 0;
    const SearchOutcome outcome = answer_.search.outcome;
    if (outcome == SearchOutcome::kLimit) return false;
    return outcome != SearchOutcome::kGaveUp || context_.stopped() || options_.inference == Inference::kNever;
  }

  Guesser guesser(std::uint32_t order) {
    if (!guesses_) {
      guesses_ =
          std::make_unique<Guesses>(vocabulary_, options_.instances, options_.instance_states, context_);
      answer_.instance_states = guesses_->states();
    }
    return [this, order](const Region& region, const std::vector<Region>& bad) {
      return guesses_->propose(region, bad, order);
    };
  }

  const Vocabulary& vocabulary_;
  const ArrayOptions& options_;
  Context& context_;
  std::unique_ptr<Guesses> guesses_;
  ArrayAnswer answer_;
};

}  // namespace

ArrayAnswer check_array_system(const Vocabulary& vocabulary, const ArrayOptions& options, Context& context) {
  return Turns(vocabulary, options, context).run();
}

}  // namespace weir::array
