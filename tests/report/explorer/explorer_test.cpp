// Protects what the explorer page shows: adding up its steps gives what the reference machine has in memory
// and in every buffer; its global order goes forward in time; nothing in its data can end the script that
// holds it.
#include "report/explorer/explorer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "check/reference/machine.hpp"
#include "report/attack.hpp"
#include "report/execution/global_order.hpp"
#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "selfcheck/agreement/agreement.hpp"

namespace weir::explorer_test {

using namespace weir::test;
using ::testing::HasSubstr;
using ::testing::Not;

using Contents = std::vector<std::pair<std::string, std::string>>;  // names and values

// What the page makes of the steps: see web/src/machine.ts.
class Page {
 public:
  Page(const ExplorerExecution& execution, std::size_t threads) : execution_(execution), buffers_(threads) {
    for (const ExplorerCell& cell : execution.cells) memory_.push_back(cell.initial);
  }

  void take(std::size_t index) {
    const ExplorerStep& step = execution_.steps[index];
    std::vector<std::size_t>& buffer = buffers_[step.thread];
    if (step.buffered) buffer.push_back(index);
    if (step.store) {
      ASSERT_EQ(std::erase(buffer, *step.store), 1u) << "step " << step.number;
    }
    if (step.memory) memory_.at(step.cell.value()) = *step.memory;
  }

  // Sorted by name, since under PSO the order between variables means nothing.
  Contents buffer(std::size_t thread) const {
    Contents result;
    for (const std::size_t store : buffers_[thread])
      result.emplace_back(execution_.cells[execution_.steps[store].cell.value()].name,
                          execution_.steps[store].value);
    std::ranges::stable_sort(result, {}, &std::pair<std::string, std::string>::first);
    return result;
  }
  const std::vector<std::string>& memory() const { return memory_; }

 private:
  const ExplorerExecution& execution_;
  std::vector<std::vector<std::size_t>> buffers_;
  std::vector<std::string> memory_;
};

// One of the executions of a program, and the states on the way; those inside atomic blocks are left out.
struct Walk {
  Witness witness;
  std::vector<std::pair<std::size_t, ReferenceState>> states;  // after so many steps
};

Walk random_walk(const Program& program, Model model, std::uint64_t seed) {
  constexpr std::size_t kLongest = 60;
  const ReferenceMachine machine(program, model);
  Walk walk{.witness = {.model = model, .violation = {.kind = ViolationKind::kUnsafe}}};
  ReferenceState state = machine.initial();
  std::mt19937_64 random(seed);
  while (walk.witness.steps.size() < kLongest) {
    std::vector<ReferenceStep> steps = machine.steps(state);
    std::erase_if(steps, [](const ReferenceStep& step) { return step.failure || step.unsupported; });
    if (steps.empty()) break;
    const ReferenceStep& step = steps[random() % steps.size()];
    walk.witness.steps.insert(walk.witness.steps.end(), step.steps.begin(), step.steps.end());
    state = step.after;
    walk.states.emplace_back(walk.witness.steps.size(), state);
  }
  return walk;
}

Contents reference_buffer(const Program& program, const StoreBuffer& buffer) {
  Contents result;
  for (const BufferEntry& entry : buffer)
    if (!entry.barrier) result.emplace_back(program.address_name(entry.address), std::to_string(entry.value));
  std::ranges::stable_sort(result, {}, &std::pair<std::string, std::string>::first);
  return result;
}

std::string reference_value(const Program& program, const ReferenceState& state, const std::string& cell) {
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      if (program.address_name(address) == cell)
        return std::to_string(read_memory(program, state.memory, address));
    }
  return "";
}

void expect_same(const Program& program, const Walk& walk, std::uint64_t seed) {
  const ExplorerExecution shown = explorer_execution(program, walk.witness, "");
  ASSERT_EQ(shown.steps.size(), walk.witness.steps.size());
  Page page(shown, program.threads.size());
  std::size_t done = 0;
  for (const auto& [count, state] : walk.states) {
    while (done < count) page.take(done++);
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      ASSERT_EQ(page.buffer(t), reference_buffer(program, state.buffers[t]))
          << "seed " << seed << " step " << count;
    for (std::size_t c = 0; c < shown.cells.size(); ++c)
      ASSERT_EQ(page.memory()[c], reference_value(program, state, shown.cells[c].name))
          << "seed " << seed << " step " << count << " " << shown.cells[c].name;
  }
}

selfcheck::GeneratorShape plain_shape() {
  selfcheck::GeneratorShape shape;
  shape.max_instructions = 7;
  return shape;
}

TEST(ExplorerExecution, StepsAddUpToTheReferenceMachine) {
  std::size_t buffered = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed)
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      const Program program = selfcheck::build(selfcheck::random_genome(seed, plain_shape()));
      const Walk walk = random_walk(program, model, seed);
      expect_same(program, walk, seed);
      for (const auto& [count, state] : walk.states)
        for (const StoreBuffer& buffer : state.buffers) buffered += buffer.size();
    }
  EXPECT_GT(buffered, 1000u);  // or the comparison says little
}

// Also that it is as strong as it should be: under SC it is all of happens-before, and its edges suffice to
// order the accesses of a thread that come one after the other.
TEST(GlobalOrder, GoesForwardInTime) {
  std::size_t kept = 0, turned = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      const Program program = selfcheck::build(selfcheck::random_genome(seed, plain_shape()));
      const Walk walk = random_walk(program, model, seed);
      const HappensBefore relation = happens_before(program, walk.witness);
      const auto time = [&](std::size_t event) {
        return std::pair(relation.events[event].visible, relation.events[event].step);
      };
      for (const HappensBeforeEdge& edge : global_order(program, walk.witness, relation)) {
        ASSERT_LT(time(edge.from), time(edge.to)) << "seed " << seed << " " << name(model) << " " << edge.from
                                                  << " " << name(edge.relation) << " " << edge.to;
        ++kept;
      }
      for (const HappensBeforeEdge& edge : relation.edges)
        if (edge.relation == Relation::kProgramOrder && time(edge.from) > time(edge.to)) ++turned;
    }
  EXPECT_GT(kept, 3000u);
  EXPECT_GT(turned, 100u);  // buffers did something
}

TEST(GlobalOrder, KeepsProgramOrderUnderSc) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Program program = selfcheck::build(selfcheck::random_genome(seed, plain_shape()));
    const Walk walk = random_walk(program, Model::kSc, seed);
    const HappensBefore relation = happens_before(program, walk.witness);
    const auto order = global_order(program, walk.witness, relation);
    for (const HappensBeforeEdge& edge : relation.edges)
      ASSERT_TRUE(std::ranges::find(order, edge) != order.end()) << "seed " << seed;
  }
}

TEST(GlobalOrder, DropsWhatTheBufferTurnsRound) {
  const Program program = store_buffering();
  const Witness witness = overtaking();
  const HappensBefore relation = happens_before(program, witness);
  for (const HappensBeforeEdge& edge : global_order(program, witness, relation))
    EXPECT_NE(edge.relation, Relation::kProgramOrder) << "both threads store, then load";
}

TEST(ExplorerExecution, ShowsTheCycleFromTheDelayedStore) {
  const ExplorerExecution shown = explorer_execution(store_buffering(), overtaking(), "attack");
  ASSERT_EQ(shown.cycle.size(), 4u);
  EXPECT_EQ(shown.events[shown.cycle[0].from].label, "W x=1");
  EXPECT_EQ(shown.events[shown.cycle[0].to].label, "R y=0");
  EXPECT_STREQ(shown.cycle[0].relation, "po");
  EXPECT_STREQ(shown.cycle[1].relation, "fr");
  EXPECT_EQ(shown.events[0].visible, 5u);
}

TEST(ExplorerExecution, KnowsRegistersArrivalsAndNumbers) {
  const ExplorerExecution shown = explorer_execution(store_buffering(), both_enter(), "");
  EXPECT_EQ(shown.steps[2].reg, "r");
  EXPECT_EQ(shown.steps[2].reg_value, "0");
  EXPECT_EQ(shown.steps[7].arrival, "cs");
  EXPECT_EQ(shown.steps[7].number, 8u);
  EXPECT_TRUE(shown.steps[7].local);
  EXPECT_EQ(shown.steps[4].store, 0u);
  EXPECT_EQ(shown.violation->kind, "forbidden");
}

TEST(ExplorerExecution, LassoKnowsItsLoop) {
  Witness witness = both_enter();
  witness.violation.kind = ViolationKind::kStarvation;
  witness.starvation = Starvation{.loop = 3};
  EXPECT_EQ(explorer_execution(store_buffering(), witness, "").loop, 3u);
}

TEST(ExplorerExecution, LongOnesLeaveLocalStepsOut) {
  Witness witness = both_enter();
  const WitnessStep local = witness.steps.back();
  witness.steps.insert(witness.steps.begin() + 4, 7000, local);
  const ExplorerExecution shown = explorer_execution(store_buffering(), witness, "");
  EXPECT_EQ(shown.left_out, 7002u);
  ASSERT_EQ(shown.steps.size(), 6u);
  EXPECT_EQ(shown.steps[4].store, 0u);
  EXPECT_EQ(shown.steps[4].number, 7005u);
  EXPECT_EQ(shown.events[0].visible, 4u);
}

TEST(ExplorerExecution, OfVeryLongOnesTheEndIsShown) {
  Witness witness = both_enter();
  const WitnessStep load = witness.steps[2];
  witness.steps.insert(witness.steps.begin() + 3, 9000, load);
  const ExplorerExecution shown = explorer_execution(store_buffering(), witness, "");
  ASSERT_EQ(shown.steps.size(), 8002u);  // and the two stores that were still in their buffers
  EXPECT_EQ(shown.skipped, 1004u);
  EXPECT_TRUE(shown.steps[0].buffered && shown.steps[1].buffered);
  EXPECT_EQ(shown.steps[2].number, 1007u);
  EXPECT_EQ(shown.steps[8000].store, 0u);
  EXPECT_EQ(shown.steps[8001].store, 1u);
  EXPECT_EQ(shown.cells[0].initial, "0");
  EXPECT_TRUE(shown.events.empty() && shown.edges.empty() && shown.no_graph);
}

TEST(ExplorerPage, AnswerWithAndWithoutExecution) {
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "explicit"};
  answer.witness = both_enter();
  answer.statistics.set("states", std::uint64_t{12});
  const RunInfo run{.command = "check", .file = "sb.weir", .version = "1", .model = Model::kTso};
  const Json unsafe = explorer_json(explorer_page(store_buffering(), answer, run), run);
  EXPECT_EQ(unsafe["tone"], "bad");
  EXPECT_EQ(unsafe["headline"], "UNSAFE under tso");
  EXPECT_EQ(unsafe["executions"].size(), 1u);
  EXPECT_EQ(unsafe["figures"][0], Json::array({"states", "12"}));
  EXPECT_EQ(unsafe["sources"][0]["path"], "sb.weir");
  EXPECT_EQ(unsafe["next"][0], "weir fence sb.weir --for safety");

  answer = {.verdict = Verdict::kSafe, .engine = "explicit", .reason = "all 7 states"};
  const Json safe = explorer_json(explorer_page(store_buffering(), answer, run), run);
  EXPECT_EQ(safe["tone"], "good");
  EXPECT_TRUE(safe["executions"].empty());
  EXPECT_THAT(safe["nothingToShow"].get<std::string>(), HasSubstr("no execution"));
  EXPECT_EQ(safe["sources"].size(), 1u);
}

TEST(ExplorerPage, EveryAttackIsAnExecution) {
  const Program program = store_buffering();
  RobustAnswer answer = not_robust();
  answer.attacks.push_back(answer.attacks[0]);
  const Json page =
      explorer_json(explorer_page({.program = program, .answer = answer}, robust_run()), robust_run());
  EXPECT_EQ(page["executions"].size(), 2u);
  EXPECT_EQ(page["headline"], "NOT ROBUST against tso");
  EXPECT_EQ(page["next"][0], "weir fence sb.weir");
}

TEST(HtmlReport, NothingInTheDataEndsTheScript) {
  const Json hostile{{"text", "</script><script>alert(1)</script><!-- \xE2\x80\xA8 \xff"}};
  const std::string text = script_text(hostile);
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_EQ(nlohmann::json::parse(text)["text"].get<std::string>().substr(0, 9), "</script>");
}

TEST(HtmlReport, IsOneSmallFileThatLoadsNothing) {
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "explicit"};
  answer.witness = both_enter();
  const RunInfo run{.command = "check", .file = "a<b.weir", .version = "1", .model = Model::kTso};
  const std::string html = html_report(explorer_page(store_buffering(), answer, run), run);
  EXPECT_LT(html.size(), 200'000u);
  EXPECT_THAT(html, HasSubstr("<title>UNSAFE under tso – a&lt;b.weir</title>"));
  EXPECT_THAT(html, Not(HasSubstr("__WEIR_DATA__")));
  for (const char* reference : {"src=\"", "http-equiv", "@import", "url(http", "href=\"http"})
    EXPECT_THAT(html, Not(HasSubstr(reference)));
}

}  // namespace weir::explorer_test
