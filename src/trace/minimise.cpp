// Three kinds of surgery, repeated until none helps or the effort is spent:
//
// - drop: leave out a run of a thread's steps (halves, quarters, …, single steps), each buffered store
//   together with its flush, as delta debugging does. Removes unneeded threads, iterations of loops, tails,
//   flushes;
// - join: move a block of a thread's steps up or down to the nearest block of the same thread;
// - split: distribute a block over the blocks of the same thread before and after it.
//
// Each candidate costs one replay. With n steps there are O(n log n) candidates for drop, O(n) for join, and
// O(n) for split, per round.
#include "trace/minimise.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostTests = 4000;
constexpr std::size_t kMostReplayedSteps = 4'000'000;  // over all tests

using Steps = std::vector<WitnessStep>;

std::size_t switches(const Steps& steps) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) count += steps[i].thread != steps[i - 1].thread ? 1 : 0;
  return count;
}

auto cost(const Steps& steps) { return std::tuple(switches(steps), steps.size()); }

// A maximal run of steps of one thread.
struct Block {
  std::size_t begin, end;
};

std::vector<Block> blocks_of(const Steps& steps) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i].thread != steps[i - 1].thread) blocks.push_back({i, i});
    blocks.back().end = i + 1;
  }
  return blocks;
}

class Minimiser {
 public:
  Minimiser(const Program& program, const Witness& witness, const std::function<bool(const Witness&)>& valid)
      : program_(program), best_(witness), valid_(valid) {
    const std::size_t length = std::max<std::size_t>(witness.steps.size(), 1);
    tests_left_ = std::clamp<std::size_t>(kMostReplayedSteps / length, 20, kMostTests);
  }

  Witness run() {
    if (!valid_(best_)) return std::move(best_);
    bool improved = true;
    while (improved && tests_left_ > 0) {
      improved = cut_end();
      improved |= drop();
      improved |= join();
      improved |= split();
    }
    return std::move(best_);
  }

 private:
  // Keeps the candidate if it is better and valid.
  bool consider(Steps candidate) {
    if (tests_left_ == 0 || !(cost(candidate) < cost(best_.steps))) return false;
    --tests_left_;
    Witness changed{best_.model, std::move(candidate), best_.violation};
    if (!valid_(changed)) return false;
    best_ = std::move(changed);
    return true;
  }

  // A bad state that was already bad earlier. Other violations need the last step.
  bool cut_end() {
    const bool is_state =
        best_.violation.kind == ViolationKind::kGoal || best_.violation.kind == ViolationKind::kForbidden ||
        best_.violation.kind == ViolationKind::kUnsafe || best_.violation.kind == ViolationKind::kRace;
    if (!is_state || cut_) return false;
    cut_ = true;
    const std::size_t shortest = best_.steps.size() - std::min(best_.steps.size(), tests_left_ / 4);
    for (std::size_t length = shortest; length < best_.steps.size(); ++length)
      if (consider({best_.steps.begin(), best_.steps.begin() + static_cast<std::ptrdiff_t>(length)}))
        return true;
    return false;
  }

  bool drop() {
    bool improved = false;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) improved |= drop_steps_of(ThreadId(t));
    return improved;
  }

  // Runs are tried from the thread's end backwards: the tail of a thread is the most often useless part.
  bool drop_steps_of(ThreadId thread) {
    bool improved = false;
    for (std::size_t size = instructions_of(thread).size(); size > 0; size /= 2) {
      std::size_t end = instructions_of(thread).size();
      while (end > 0 && tests_left_ > 0) {
        const auto own = instructions_of(thread);
        end = std::min(end, own.size());
        const std::size_t begin = end - std::min(end, size);
        improved |= consider(without(std::span(own).subspan(begin, end - begin)));
        end = begin;
      }
    }
    return improved | drop_flushes(thread);
  }

  std::vector<std::size_t> instructions_of(ThreadId thread) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < best_.steps.size(); ++i)
      if (best_.steps[i].thread == thread && best_.steps[i].kind == WitnessStep::Kind::kInstruction)
        result.push_back(i);
    return result;
  }

  // The steps without the given instructions and the flushes of the stores among them.
  Steps without(std::span<const std::size_t> dropped) const {
    const Buffering buffering = find_buffering(program_, best_);
    std::vector<bool> gone(best_.steps.size());
    for (const std::size_t step : dropped) {
      gone[step] = true;
      if (buffering.buffered[step] && buffering.partner[step] != kNoStep)
        gone[buffering.partner[step]] = true;
    }
    Steps result;
    for (std::size_t i = 0; i < best_.steps.size(); ++i)
      if (!gone[i]) result.push_back(best_.steps[i]);
    return result;
  }

  // Flushes whose effect nobody needs: the store may stay in the buffer.
  bool drop_flushes(ThreadId thread) {
    bool improved = false;
    for (std::size_t i = best_.steps.size(); i-- > 0;) {
      if (i >= best_.steps.size() || best_.steps[i].thread != thread ||
          best_.steps[i].kind != WitnessStep::Kind::kFlush)
        continue;
      Steps candidate = best_.steps;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i));
      improved |= consider(std::move(candidate));
    }
    return improved;
  }

  bool join() {
    bool improved = false;
    for (std::size_t b = 0; b < blocks_of(best_.steps).size() && tests_left_ > 0;) {
      if (join_with_next(b)) {
        improved = true;  // the block has grown: try it again
      } else {
        ++b;
      }
    }
    return improved;
  }

  bool join_with_next(std::size_t b) {
    const auto blocks = blocks_of(best_.steps);
    const auto next = next_of_same_thread(blocks, b);
    if (next == blocks.size()) return false;
    return consider(moved(blocks[next], blocks[b].end)) || consider(moved(blocks[b], blocks[next].begin));
  }

  std::size_t next_of_same_thread(const std::vector<Block>& blocks, std::size_t b) const {
    std::size_t next = b + 1;
    while (next < blocks.size() &&
           best_.steps[blocks[next].begin].thread != best_.steps[blocks[b].begin].thread)
      ++next;
    return next;
  }

  // The steps with a block moved to before step `target`.
  Steps moved(Block block, std::size_t target) const {
    Steps steps = best_.steps;
    const auto at = [&](std::size_t i) { return steps.begin() + static_cast<std::ptrdiff_t>(i); };
    if (target <= block.begin) {
      std::rotate(at(target), at(block.begin), at(block.end));
    } else {
      std::rotate(at(block.begin), at(block.end), at(target));
    }
    return steps;
  }

  bool split() {
    bool improved = false;
    for (std::size_t b = 0; b < blocks_of(best_.steps).size() && tests_left_ > 0; ++b)
      improved |= split_block(b);
    return improved;
  }

  // Block `b` of a thread goes partly to the thread's block before it and partly to the one after it.
  bool split_block(std::size_t b) {
    const auto blocks = blocks_of(best_.steps);
    const auto middle = next_of_same_thread(blocks, b);
    if (middle == blocks.size()) return false;
    const auto after = next_of_same_thread(blocks, middle);
    if (after == blocks.size()) return false;
    const auto [begin, end] = blocks[middle];
    for (std::size_t cut = begin + 1; cut < end; ++cut)
      if (consider(distributed(blocks[b].end, begin, cut, end, blocks[after].begin))) return true;
    return false;
  }

  // Steps begin..cut go to `early`, steps cut..end to `late`.
  Steps distributed(std::size_t early, std::size_t begin, std::size_t cut, std::size_t end,
                    std::size_t late) const {
    Steps steps = best_.steps;
    const auto at = [&](std::size_t i) { return steps.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(cut), at(end), at(late));
    std::rotate(at(early), at(begin), at(cut));
    return steps;
  }

  const Program& program_;
  Witness best_;
  const std::function<bool(const Witness&)>& valid_;
  std::size_t tests_left_ = 0;
  bool cut_ = false;
};

}  // namespace

std::size_t context_switches(const Witness& witness) { return switches(witness.steps); }

Witness minimise(const Program& program, const Witness& witness,
                 const std::function<bool(const Witness&)>& valid) {
  return Minimiser(program, witness, valid).run();
}

}  // namespace weir
