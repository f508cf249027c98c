// The replay of `weir consistent` accepts executions of the model and nothing else: every other witness rests
// on it.
#include "check/consistency_replay.hpp"

#include <gtest/gtest.h>

namespace weir::consistency_replay_test {

using Kind = ClaimedEvent::Kind;

ClaimedEvent write(std::size_t variable) { return {Kind::kWrite, variable, {}}; }
ClaimedEvent read(std::size_t variable, std::optional<ClaimedPlace> source) {
  return {Kind::kRead, variable, {source}};
}

// Store buffering: x is 0, y is 1.
ExecutionClaim store_buffering(Model model) {
  return {model, {{write(0), read(1, std::nullopt)}, {write(1), read(0, std::nullopt)}}, {}};
}

TEST(ConsistencyReplay, AcceptsAnExecution) {
  ExecutionClaim claim = store_buffering(Model::kTso);
  claim.steps = {{{0, 0}}, {{0, 1}}, {{1, 0}}, {{1, 1}}, {{0, 0}, true}, {{1, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "");
}

TEST(ConsistencyReplay, RefusesAWrongRead) {
  ExecutionClaim claim = store_buffering(Model::kTso);
  claim.steps = {{{0, 0}}, {{0, 0}, true}, {{0, 1}}, {{1, 0}}, {{1, 1}}, {{1, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "step 5: the event reads another write than it should");
  claim = store_buffering(Model::kSc);
  claim.steps = {{{0, 0}}, {{0, 1}}, {{1, 0}}, {{1, 1}}};
  EXPECT_EQ(replay_execution(claim), "step 4: the event reads another write than it should");
}

TEST(ConsistencyReplay, RefusesWhatIsNotWhole) {
  ExecutionClaim claim = store_buffering(Model::kTso);
  claim.steps = {{{0, 0}}, {{0, 1}}, {{0, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "thread 1 has not ended");
  claim.steps = {{{0, 0}}, {{0, 1}}, {{1, 0}}, {{1, 1}}, {{0, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "thread 1 ends with a store in its buffer");
  claim.steps = {{{0, 1}}};
  EXPECT_EQ(replay_execution(claim), "step 1: the event is not the next one of its thread");
  claim.steps = {{{0, 7}}};
  EXPECT_EQ(replay_execution(claim), "step 1: there is no such event");
}

TEST(ConsistencyReplay, KeepsBuffersInOrder) {
  ExecutionClaim claim{
      Model::kTso, {{write(0), write(1)}}, {{{0, 0}}, {{0, 1}}, {{0, 1}, true}, {{0, 0}, true}}};
  EXPECT_EQ(replay_execution(claim), "step 3: an older store is still in the buffer");
  claim.model = Model::kPso;
  EXPECT_EQ(replay_execution(claim), "");
  claim.threads = {{write(0), {Kind::kStoreFence, 0, {}}, write(1)}};
  claim.steps = {{{0, 0}}, {{0, 1}}, {{0, 2}}, {{0, 2}, true}, {{0, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "step 4: a store fence keeps the store back");
  claim.threads = {{write(0), write(0)}};
  claim.steps = {{{0, 0}}, {{0, 1}}, {{0, 1}, true}, {{0, 0}, true}};
  EXPECT_EQ(replay_execution(claim), "step 3: an older store is still in the buffer");
}

TEST(ConsistencyReplay, FencesAndUpdatesWait) {
  ExecutionClaim claim{
      Model::kPso, {{write(0), {Kind::kFence, 0, {}}}}, {{{0, 0}}, {{0, 1}}, {{0, 0}, true}}};
  EXPECT_EQ(replay_execution(claim), "step 2: the thread's buffer is not empty");
  claim.threads = {{write(0), {Kind::kUpdate, 1, {std::nullopt}}}};
  EXPECT_EQ(replay_execution(claim), "step 2: the thread's buffer is not empty");
  claim.steps = {{{0, 0}}, {{0, 0}, true}, {{0, 1}}};
  EXPECT_EQ(replay_execution(claim), "");
}

}  // namespace weir::consistency_replay_test
