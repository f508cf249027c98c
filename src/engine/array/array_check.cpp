#include "engine/array/array_check.hpp"

#include <memory>

#include "engine/array/guesses.hpp"

namespace weir::array {

namespace {

constexpr std::uint64_t kFirstTurn = 200;  // regions
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint32_t kOrders = 4;  // of guesses, tried in every round

struct SumsReached {
  SumTable& sums;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("sums");
    archive(sums);
  }
};

class Turns {
 public:
  Turns(const Vocabulary& vocabulary, const ArrayOptions& options, Context& context)
      : vocabulary_(vocabulary), options_(options), context_(context) {}

  ArrayAnswer run() {
    resume();
    if (options_.inference == Inference::kNever) {
      take_turn({}, ~std::uint64_t{0});
      return std::move(answer_);
    }
    // Exact search, if it is to be tried, and the orders of guesses take turns.
    const std::uint32_t exact = options_.inference == Inference::kAuto ? 1 : 0;
    for (;; ++turn_) {
      std::uint64_t most = kFirstTurn;
      for (std::uint64_t round = turn_ / (kOrders + exact); round > 0; --round) most *= kGrowth;
      const auto place = static_cast<std::uint32_t>(turn_ % (kOrders + exact));
      if (take_turn(place < exact ? Guesser() : guesser(place - exact), most)) return std::move(answer_);
    }
  }

 private:
  void resume() {
    if (options_.checkpoint == nullptr || !options_.checkpoint->found()) return;
    TurnReached reached;
    options_.checkpoint->look_at(reached);
    turn_ = reached.turn;
    answer_.regions = reached.regions;
    SumsReached sums{vocabulary_.sums()};  // before anybody else makes some
    options_.checkpoint->look_at(sums);
    if (turn_ > 0) guesser(0);
  }

  // True: there is an answer, or no time for one.
  bool take_turn(const Guesser& guesser, std::uint64_t most) {
    answer_.search = search_backward(
        vocabulary_, guesser, context_,
        {options_.order, most, options_.checkpoint, {.turn = turn_, .regions = answer_.regions}});
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
  std::uint64_t turn_ = 0;
  ArrayAnswer answer_;
};

}  // namespace

ArrayAnswer check_array_system(const Vocabulary& vocabulary, const ArrayOptions& options, Context& context) {
  return Turns(vocabulary, options, context).run();
}

}  // namespace weir::array
