#include "engine/array/axiomatic/axiomatic.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "engine/array/axiomatic/covering.hpp"
#include "engine/array/axiomatic/preimage.hpp"
#include "engine/array/axiomatic/solver.hpp"
#include "engine/array/discovery.hpp"
#include "engine/array/weak_use.hpp"

namespace weir::array {

namespace {

constexpr std::size_t kMostPremises = 500;  // of visited cubes, in one question to the solver

struct FoundCube : Discovery {
  EventCube cube;
};

class AxiomaticSearch {
 public:
  AxiomaticSearch(const Vocabulary& vocabulary, Context& context)
      : vocabulary_(vocabulary),
        context_(context),
        issue_order_(shared_ordinary_symbol(vocabulary.system()).has_value()),
        preimage_(vocabulary),
        solver_(make_axiomatic_solver(vocabulary, issue_order_)) {}

  SearchResult run() {
    if (solver_ == nullptr) {
      give_up("this search needs Z3, which this weir was built without");
      return std::move(result_);
    }
    add_roots();
    while (!over_ && !queue_.empty()) {
      const std::uint32_t next = queue_.top().second;
      queue_.pop();
      if (context_.progress_due())
        context_.report_progress({"axiomatic", result_.regions, queue_.size(), 0, "", "cubes"});
      if (!covered(found_[next].cube, true)) visit(next);
    }
    if (!over_) result_.outcome = SearchOutcome::kSafe;
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::size_t, std::uint32_t>;  // processes, size, number
  using Item = std::pair<Key, std::uint32_t>;

  void give_up(std::string reason) {
    if (over_) return;
    over_ = true;
    result_.outcome = SearchOutcome::kGaveUp;
    result_.reason = std::move(reason);
  }

  // Whether the answer is yes. The search gives up if there is none.
  bool yes(SolverAnswer answer) {
    if (answer == SolverAnswer::kUnknown) give_up("the solver does not know whether a cube is possible");
    return answer == SolverAnswer::kYes;
  }

  void add_roots() {
    const ArraySystem& system = vocabulary_.system();
    std::uint32_t root = 0;
    for (const auto* cubes : {&system.unsafe, &system.invariants})
      for (const Cube& cube : *cubes) {
        for (EventCube& one : preimage_.of_cube(cube)) add({{.root = root}, std::move(one)});
        ++root;
      }
  }

  void add(FoundCube found) {
    if (context_.stopped()) give_up(describe(context_.stop_reason()));
    if (over_ || covered(found.cube, false) || !yes(solver_->possible(found.cube))) return;
    if (yes(solver_->initial(found.cube))) return meet_initial(std::move(found));
    const auto index = static_cast<std::uint32_t>(found_.size());
    queue_.push({Key{found.cube.processes, found.cube.size(), index}, index});
    found_.push_back(std::move(found));
  }

  void visit(std::uint32_t index) {
    if (context_.stopped()) give_up(describe(context_.stop_reason()));
    if (over_) return;
    ++result_.regions;
    visited_.push_back(index);
    const EventCube cube = found_[index].cube;  // found_ grows below
    const bool complete = preimage_.each(cube, [&](EventPredecessor&& one) {
      ++result_.predecessors;
      add({{.parent = index,
            .transition = one.transition,
            .root = found_[index].root,
            .parameters = std::move(one.parameters),
            .went = std::move(one.went),
            .approximate = one.approximate},
           std::move(one.cube)});
      return !over_;
    });
    if (!complete) give_up("a cube needs more than 30 processes, 31 reads or 100 events");
  }

  // Whether the cube lies within those visited, within one of them if the solver is not to be asked. One that
  // cannot be shown to do so is visited, which is always right.
  bool covered(const EventCube& cube, bool ask_solver) {
    Facts facts(vocabulary_);
    if (!facts.assume_all(cube.constraints)) return true;
    std::vector<std::vector<Constraint>> instances;  // what is left to show of each
    bool follows = false;
    for (std::size_t i = visited_.size(); i-- > 0 && !follows && instances.size() < kMostPremises;) {
      if (context_.stopped()) return false;  // whoever asked gives up
      each_embedding(found_[visited_[i]].cube, cube, vocabulary_, issue_order_,
                     [&](std::vector<Constraint>&& instance) {
                       const auto refuted = [&](const Constraint& one) { return facts.refutes(one); };
                       if (std::any_of(instance.begin(), instance.end(), refuted)) return true;
                       std::erase_if(instance, [&](const Constraint& one) { return facts.entails(one); });
                       follows = instance.empty();
                       if (ask_solver) instances.push_back(std::move(instance));
                       return !follows && instances.size() < kMostPremises;
                     });
    }
    if (!follows && !instances.empty()) follows = solver_->implies(cube, instances) == SolverAnswer::kYes;
    if (follows) ++result_.covered;
    return follows;
  }

  void meet_initial(FoundCube found) {
    over_ = true;
    found_.push_back(std::move(found));
    answer_unsafe(
        found_, vocabulary_.system(), [](const FoundCube& one) { return one.cube.processes; }, result_);
  }

  const Vocabulary& vocabulary_;
  Context& context_;
  const bool issue_order_;
  const Preimage preimage_;
  const std::unique_ptr<AxiomaticSolver> solver_;
  SearchResult result_;
  std::vector<FoundCube> found_;
  std::vector<std::uint32_t> visited_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  bool over_ = false;
};

}  // namespace

SearchResult search_axiomatic(const Vocabulary& vocabulary, Context& context) {
  return AxiomaticSearch(vocabulary, context).run();
}

}  // namespace weir::array
