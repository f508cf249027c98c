#include "verify/strategy.hpp"

#include <algorithm>
#include <iterator>

#include "engine/portfolio/race.hpp"
#include "verify/engine_options.hpp"
#include "verify/engines.hpp"

namespace weir::verify {

namespace {

// Who takes part, the one that is best for most programs first, and how long the turns of each are. Lazy
// reachability decides most correct programs whose buffers never close; executions are fewer than states where
// threads share little; backward search and coarser buffers decide what nobody else does.
struct Entrant {
  std::string_view engine;
  unsigned share;
};
constexpr Entrant kEntrants[] = {
    {"explicit", 2}, {"lazy", 3}, {"smc", 3}, {"dual", 1}, {"abstraction", 1},
};

bool takes_part(const Engine& engine, const Program& program, const Question& question) {
  return engine.answers_under(question.model) && (question.values.ranges.empty() || engine.obeys_ranges) &&
         engine.obstacle(program).empty();
}

Contender contender(const Entrant& entrant, const Program& program, Question question, unsigned jobs) {
  question.jobs = jobs;
  const Engine& engine = *find_engine(entrant.engine);
  return {std::string(engine.name),
          [&engine, &program, question](Context& context) { return engine.run(program, question, context); },
          entrant.share};
}

}  // namespace

Answer search_by_best_engine(const Program& program, const Question& question, Context& context) {
  if (question.about_states()) return check_explicit(program, explicit_options(question), context);
  std::vector<Entrant> entrants;
  std::ranges::copy_if(kEntrants, std::back_inserter(entrants), [&](const Entrant& entrant) {
    return takes_part(*find_engine(entrant.engine), program, question);
  });
  // The others have one thread each, and at most half of all.
  const unsigned others = std::min<unsigned>(entrants.size() - 1, question.jobs / 2);
  std::vector<Contender> contenders;
  for (const Entrant& entrant : entrants)
    contenders.push_back(
        contender(entrant, program, question, contenders.empty() ? question.jobs - others : 1));
  return race(contenders, {.seats = others + 1}, context);
}

std::string_view interruptible_engine(const Question& question) {
  if (question.engine != "auto") return question.engine;
  return question.any_number ? "dual" : "explicit";
}

}  // namespace weir::verify
