// The generic backward search on a system that is no Petri net, and the index behind it against a plain list.
#include "engine/coverability/backward_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include "base/temporary_folder.hpp"

namespace weir::backward_search_test {

// A machine with a control state and a lossy channel of letters: configurations are ordered by subwords and
// comparable only in the same control state. It starts in state 0 with any number of `a`.
struct LossyChannel {
  struct Configuration {
    int state = 0;
    std::string word;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(state, word);
    }
  };
  struct Rule {
    int from, to;
    char receives, sends;  // 0: nothing. Receives at the front, sends at the back
  };
  using Label = std::size_t;

  std::vector<Rule> rules;

  int key(const Configuration& c) const { return c.state; }
  Signature signature(const Configuration& c) const {
    Signature signature{.size = static_cast<std::uint32_t>(c.word.size())};
    for (const char letter : c.word) signature.features |= std::uint64_t{1} << (letter - 'a');
    return signature;
  }
  bool covers(const Configuration& a, const Configuration& b) const {
    std::size_t matched = 0;
    for (const char letter : b.word)
      if (matched < a.word.size() && a.word[matched] == letter) ++matched;
    return a.state == b.state && matched == a.word.size();
  }
  bool initial(const Configuration& c) const {
    return c.state == 0 && c.word.find_first_not_of('a') == std::string::npos;
  }
  std::uint64_t weight(const Configuration& c) const { return c.word.size(); }
  std::uint64_t cost(const Configuration& c) const { return c.word.size(); }
  std::uint64_t cost_behind(const Configuration&) const { return 0; }
  template <class Sink>
  void predecessors(const Configuration& c, const Sink& sink) const {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const Rule& rule = rules[i];
      if (rule.to != c.state) continue;
      Configuration before{rule.from, c.word};
      if (rule.sends && before.word.ends_with(rule.sends)) before.word.pop_back();
      if (rule.receives) before.word.insert(before.word.begin(), rule.receives);
      sink(std::move(before), i);
    }
  }
};

static_assert(Priced<LossyChannel>);

// Moves every `a` to the back as `b`, and ends in state 1 on two `b`.
LossyChannel translator() { return {{{0, 0, 'a', 'b'}, {0, 2, 'b', 0}, {2, 1, 'b', 0}}}; }

TEST(BackwardSearch, FindsAPathThatCanBeFollowed) {
  LossyChannel system = translator();
  Context context;
  const auto result = search_backward(system, {{.state = 1}}, {}, context);
  ASSERT_TRUE(result.path);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.path->start.word, "aa");
  EXPECT_EQ(result.path->labels, (std::vector<std::size_t>{0, 0, 1, 2}));
  EXPECT_EQ(result.path->target, 0u);
}

TEST(BackwardSearch, TheBasisIsTheProof) {
  LossyChannel system = translator();
  Context context;
  const auto result = search_backward(system, {{.state = 1, .word = "c"}}, {}, context);
  EXPECT_FALSE(result.path);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.basis.size(), result.statistics.kept);
  EXPECT_FALSE(result.basis.empty());
  for (const auto& element : result.basis) {
    EXPECT_FALSE(system.initial(element));
    system.predecessors(element, [&](LossyChannel::Configuration&& before, std::size_t) {
      EXPECT_TRUE(std::ranges::any_of(result.basis, [&](const auto& b) { return system.covers(b, before); }));
    });
  }
}

TEST(BackwardSearch, SaysWhichTargetWasReached) {
  LossyChannel system = translator();
  Context context;
  const auto result = search_backward(system, {{.state = 1, .word = "c"}, {.state = 2}}, {}, context);
  ASSERT_TRUE(result.path);
  EXPECT_EQ(result.path->target, 1u);
  EXPECT_EQ(result.path->start.word, "a");
}

// Asks for a stop as soon as anything is expanded.
struct Stopping : LossyChannel {
  Context* context = nullptr;
  template <class Sink>
  void predecessors(const Configuration& c, const Sink& sink) const {
    LossyChannel::predecessors(c, sink);
    if (context) context->request_stop(StopReason::kTimeout);
  }
};

// A search that is stopped after every single round, and goes on in another, is the same search.
TEST(BackwardSearch, GoesOnFromACheckpoint) {
  const std::vector<std::pair<LossyChannel, std::vector<LossyChannel::Configuration>>> questions = {
      {translator(), {{.state = 1}}},
      {translator(), {{.state = 1, .word = "c"}, {.state = 1, .word = "bcc"}}},
      {{{{0, 1, 'a', 'b'}, {1, 0, 'b', 'a'}, {1, 2, 'a', 'c'}, {2, 1, 'c', 'b'}}},
       {{.state = 2, .word = "cbcb"}}},
  };
  for (const auto& [channel, targets] : questions) {
    LossyChannel undisturbed = channel;
    Context whole;
    const auto expected = search_backward(undisturbed, targets, {}, whole);
    TemporaryFolder folder;
    std::size_t runs = 0;
    for (; runs < 1000; ++runs) {
      auto checkpoint = Checkpoint::open({.folder = folder.path() / "run", .resume = true}, {});
      ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message;
      Context context;
      Stopping system{channel};
      system.context = &context;
      const auto found = search_backward(system, targets, {.checkpoint = checkpoint->get()}, context);
      if (!found.complete) continue;
      EXPECT_EQ(found.path.has_value(), expected.path.has_value());
      if (found.path && expected.path) {
        EXPECT_EQ(found.path->labels, expected.path->labels);
        EXPECT_EQ(found.path->start.word, expected.path->start.word);
      }
      EXPECT_EQ(found.basis.size(), expected.basis.size());
      EXPECT_EQ(found.statistics.generated, expected.statistics.generated);
      EXPECT_EQ(found.statistics.expanded, expected.statistics.expanded);
      EXPECT_EQ(found.statistics.subsumed, expected.statistics.subsumed);
      EXPECT_EQ(found.statistics.depth, expected.statistics.depth);
      break;
    }
    EXPECT_GT(runs, 2u);
    EXPECT_LT(runs, 1000u);
  }
}

// The short way needs three `a`, the long one a single `a`.
TEST(BackwardSearch, GoesOnToTheCheapestStart) {
  LossyChannel system{{{0, 1, 'a', 0},
                       {1, 2, 'a', 0},
                       {2, 9, 'a', 0},
                       {0, 3, 'a', 'c'},
                       {3, 4, 0, 'c'},
                       {4, 5, 'c', 0},
                       {5, 9, 'c', 0}}};
  Context context;
  const auto first = search_backward(system, {{.state = 9}}, {}, context);
  const auto least = search_backward(system, {{.state = 9}}, {.least_cost = true}, context);
  ASSERT_TRUE(first.path && least.path);
  EXPECT_EQ(first.path->start.word, "aaa");
  EXPECT_EQ(least.path->start.word, "a");
  EXPECT_EQ(least.path->cost, 1u);
  EXPECT_TRUE(least.complete);
  const auto cheaper =
      search_backward(system, {{.state = 9}}, {.least_cost = true, .cost_limit = 1}, context);
  EXPECT_FALSE(cheaper.path);
  EXPECT_TRUE(cheaper.complete);
}

TEST(BackwardSearch, ATargetMayBeInitial) {
  LossyChannel system = translator();
  Context context;
  const auto result = search_backward(system, {{.state = 0, .word = "aaa"}}, {}, context);
  ASSERT_TRUE(result.path);
  EXPECT_TRUE(result.path->labels.empty());
}

TEST(BackwardSearch, NoTargetIsNotReached) {
  LossyChannel system = translator();
  Context context;
  const auto result = search_backward(system, {}, {}, context);
  EXPECT_FALSE(result.path);
  EXPECT_TRUE(result.complete);
}

TEST(BackwardSearch, StopsWhenAsked) {
  LossyChannel system = translator();
  Context context;
  context.request_stop(StopReason::kInterrupt);
  const auto result = search_backward(system, {{.state = 1}}, {}, context);
  EXPECT_FALSE(result.path);
  EXPECT_FALSE(result.complete);
}

// Few features, so that subsets are frequent and leaves with equal features overflow.
RC_GTEST_PROP(SubsumptionIndex, AgreesWithAPlainList, ()) {
  SubsumptionIndex index;
  std::vector<Signature> stored;
  const auto features = rc::gen::map(rc::gen::inRange(0, 256), [](int bits) {
    return (static_cast<std::uint64_t>(bits) & 0xF) | static_cast<std::uint64_t>(bits >> 4) << 60;
  });
  const auto signature = rc::gen::construct<Signature>(features, rc::gen::inRange<std::uint32_t>(0, 4));
  const auto all = *rc::gen::container<std::vector<Signature>>(200, signature);
  for (const Signature& s : all) {
    index.insert(s, static_cast<std::uint32_t>(stored.size()));
    stored.push_back(s);
  }
  std::vector<bool> erased(stored.size());
  for (std::uint32_t i = 0; i < stored.size(); i += 3) {
    index.erase(stored[i], i);
    erased[i] = true;
  }
  const Signature query = *signature;
  std::vector<std::uint32_t> below, above, expected_below, expected_above;
  index.any_below(query, [&](std::uint32_t i) {
    below.push_back(i);
    return false;
  });
  index.for_each_above(query, [&](std::uint32_t i) { above.push_back(i); });
  for (std::uint32_t i = 0; i < stored.size(); ++i) {
    if (!erased[i] && may_be_below(stored[i], query)) expected_below.push_back(i);
    if (!erased[i] && may_be_below(query, stored[i])) expected_above.push_back(i);
  }
  std::ranges::sort(below);
  std::ranges::sort(above);
  RC_ASSERT(below == expected_below);
  RC_ASSERT(above == expected_above);
}

}  // namespace weir::backward_search_test
