// Predecessors in TSO with load buffers, tested by definition on small programs: a machine that takes one
// step of the dual semantics at a time, forwards, says what they should be.
#include "engine/coverability/dual/dual_tso.hpp"

#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "selfcheck/random/program_generator.hpp"

namespace weir::test::dual_tso_test {

using namespace selfcheck;

// Everything is known here: all cells, all threads, all values.
struct Concrete {
  std::vector<std::uint16_t> memory;
  std::vector<Post> posts;
  std::vector<std::vector<Message>> buffers;  // oldest first

  friend auto operator<=>(const Concrete&, const Concrete&) = default;
};

// The dual semantics, straight from its definition.
class ForwardMachine {
 public:
  explicit ForwardMachine(const ThreadMoves& moves) : moves_(moves) {}

  template <class Visit>
  void successors(const Concrete& from, const Visit& visit) const {
    for (std::size_t t = 0; t < from.posts.size(); ++t) {
      for (const ThreadMove& move : moves_.moves())
        if (move.source == from.posts[t]) execute(from, t, move, visit);
      memory_steps(from, t, visit);
    }
  }

  template <class Visit>
  void memory_steps(const Concrete& from, std::size_t t, const Visit& visit) const {
    for (std::uint16_t cell = 0; cell < from.memory.size(); ++cell) {
      Concrete next = from;
      next.buffers[t].push_back(Message::plain({cell, from.memory[cell]}));
      visit(next);
    }
    if (from.buffers[t].empty()) return;
    Concrete next = from;
    next.buffers[t].erase(next.buffers[t].begin());
    visit(next);
  }

 private:
  template <class Visit>
  void execute(const Concrete& from, std::size_t t, const ThreadMove& move, const Visit& visit) const {
    Concrete next = from;
    next.posts[t] = move.target;
    std::vector<Message>& buffer = next.buffers[t];
    switch (move.kind) {
      case MoveKind::kSilent: break;
      case MoveKind::kRead: {
        const auto own = std::find_if(buffer.rbegin(), buffer.rend(),
                                      [&](Message m) { return m.is_own() && m.cell() == move.access.cell; });
        const bool returns = own != buffer.rend()
                                 ? own->value() == move.access.value
                                 : !buffer.empty() && buffer[0] == Message::plain(move.access);
        if (!returns) return;
        break;
      }
      case MoveKind::kWrite:
        next.memory[move.access.cell] = move.access.value;
        buffer.push_back(Message::own(move.access.cell, move.access.value));
        break;
      case MoveKind::kLocked:
        if (!buffer.empty()) return;
        for (const CellValue x : move.guard)
          if (from.memory[x.cell] != x.value) return;
        for (const CellValue x : move.update) next.memory[x.cell] = x.value;
        break;
    }
    visit(next);
  }

  const ThreadMoves& moves_;
};

// [Abdulla16, Section 4.2]: the buffer cut at the most recent own message of each cell.
struct Fragments {
  std::vector<std::vector<Message>> between;  // newest first
  std::vector<Message> own;                   // newest first
};

template <class Buffer>
Fragments fragments(const Buffer& buffer) {
  Fragments result;
  result.between.emplace_back();
  std::set<std::uint16_t> seen;
  for (std::size_t i = buffer.size(); i > 0; --i) {
    const Message m = buffer[i - 1];
    if (m.is_own() && seen.insert(m.cell()).second) {
      result.own.push_back(m);
      result.between.emplace_back();
    } else {
      result.between.back().push_back(m);
    }
  }
  return result;
}

bool is_subword(const std::vector<Message>& a, const std::vector<Message>& b) {
  std::size_t j = 0;
  for (const Message m : a) {
    while (j < b.size() && b[j] != m) ++j;
    if (j++ == b.size()) return false;
  }
  return true;
}

bool buffer_below(const LoadBuffer& a, const std::vector<Message>& b) {
  const Fragments fa = fragments(a), fb = fragments(b);
  if (fa.own.size() != fb.own.size()) return false;
  for (std::size_t i = 0; i < fa.own.size(); ++i)
    if (fa.own[i].cell() != fb.own[i].cell() || (!fa.own[i].is_open() && fa.own[i] != fb.own[i]))
      return false;
  for (std::size_t i = 0; i < fa.between.size(); ++i)
    if (!is_subword(fa.between[i], fb.between[i])) return false;
  return true;
}

bool is_above(const Concrete& c, const DualDraft& a) {
  for (const CellValue x : a.memory)
    if (c.memory[x.cell] != x.value) return false;
  std::vector<std::size_t> choice;
  const auto place = [&](const auto& self, std::size_t i) -> bool {
    if (i == a.threads.size()) return true;
    for (std::size_t t = 0; t < c.posts.size(); ++t) {
      if (std::ranges::find(choice, t) != choice.end() || c.posts[t] != a.threads[i].post ||
          !buffer_below(a.threads[i].buffer, c.buffers[t]))
        continue;
      choice.push_back(t);
      if (self(self, i + 1)) return true;
      choice.pop_back();
    }
    return false;
  };
  return place(place, 0);
}

// A small program with its moves.
struct Subject {
  explicit Subject(std::uint64_t seed) : program(build(random_genome(seed, shape(seed)))) {
    program.properties = {};
    closure = std::make_unique<ValueClosure>(program, std::vector<AutomatonOptions>{}, ValueClosureLimits{},
                                             context);
    if (!closure->closed()) return;
    moves = std::make_unique<ThreadMoves>(program, *closure, MoveOptions{.own_cells = false});
  }

  static GeneratorShape shape(std::uint64_t seed) {
    GeneratorShape shape;
    shape.max_threads = 2;
    shape.max_instructions = 3;
    shape.max_variables = 2;
    shape.max_value = 1;
    shape.calls = shape.choices = shape.locks = false;
    shape.loops = seed % 2 == 0;
    return shape;
  }

  bool usable() const {
    if (!moves || !moves->obstacle().empty() || moves->cells().empty()) return false;
    return moves->cells().size() <= 2 && moves->post_count() <= 24 && moves->code_count() == 2;
  }

  Context context;
  Program program;
  std::unique_ptr<ValueClosure> closure;
  std::unique_ptr<ThreadMoves> moves;
};

class Random {
 public:
  Random(const ThreadMoves& moves, std::uint64_t seed) : moves_(moves), random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  CellValue access() {
    const auto cell = static_cast<std::uint16_t>(below(moves_.cells().size()));
    return {cell, static_cast<std::uint16_t>(below(moves_.cells()[cell].values.size()))};
  }
  Post post(std::uint32_t code) {
    return moves_.start(code) + static_cast<Post>(below(moves_.end(code) - moves_.start(code)));
  }

  // Something that the search could have come to: own messages only for what the code stores, each cell once.
  DualDraft draft() {
    DualDraft draft;
    for (std::uint16_t cell = 0; cell < moves_.cells().size(); ++cell)
      if (below(2) == 0)
        draft.require({cell, static_cast<std::uint16_t>(below(moves_.cells()[cell].values.size()))});
    for (std::uint32_t code = 0; code < moves_.code_count(); ++code) {
      if (below(4) == 0) continue;
      DualThread& thread = draft.threads.emplace_back();
      thread.post = post(code);
      for (std::size_t n = below(4); n > 0; --n) thread.buffer.push_back(Message::plain(access()));
      add_own(thread, code);
    }
    draft.sort_threads();
    return draft;
  }

  // Some configuration above, or anything at all.
  Concrete concrete(const DualDraft& draft) {
    Concrete result;
    for (const ClosedCell& cell : moves_.cells())
      result.memory.push_back(static_cast<std::uint16_t>(below(cell.values.size())));
    for (const CellValue x : draft.memory) result.memory[x.cell] = x.value;
    for (std::uint32_t code = 0; code < moves_.code_count(); ++code) {
      result.posts.push_back(post(code));
      result.buffers.emplace_back();
      LoadBuffer buffer;
      for (const DualThread& thread : draft.threads)
        if (moves_.code_of(thread.post) == code) {
          result.posts.back() = thread.post;
          buffer = thread.buffer;
        }
      for (const Message m : buffer)
        result.buffers.back().push_back(
            m.is_open() ? Message::own(m.cell(), static_cast<std::uint16_t>(
                                                     below(moves_.cells()[m.cell()].values.size())))
                        : m);
    }
    return result;
  }

  // A small change of a configuration.
  void disturb(Concrete& c) {
    const std::size_t t = below(c.posts.size());
    std::vector<Message>& buffer = c.buffers[t];
    switch (below(5)) {
      case 0: c.posts[t] = post(static_cast<std::uint32_t>(t)); break;
      case 1: {
        const CellValue x = access();
        c.memory[x.cell] = x.value;
        break;
      }
      case 2:
        if (!buffer.empty()) buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(below(buffer.size())));
        break;
      case 3:
        buffer.insert(buffer.begin() + static_cast<std::ptrdiff_t>(below(buffer.size() + 1)),
                      Message::plain(access()));
        break;
      default:
        if (const auto cells = stored(static_cast<std::uint32_t>(t)); !cells.empty()) {
          const std::uint16_t cell = cells[below(cells.size())];
          const auto value = static_cast<std::uint16_t>(below(moves_.cells()[cell].values.size()));
          buffer.insert(buffer.begin() + static_cast<std::ptrdiff_t>(below(buffer.size() + 1)),
                        Message::own(cell, value));
        }
    }
  }

 private:
  std::vector<std::uint16_t> stored(std::uint32_t code) const {
    std::set<std::uint16_t> cells;
    for (const ThreadMove& move : moves_.moves())
      if (move.kind == MoveKind::kWrite && moves_.code_of(move.source) == code)
        cells.insert(move.access.cell);
    return {cells.begin(), cells.end()};
  }

  void add_own(DualThread& thread, std::uint32_t code) {
    for (const std::uint16_t cell : stored(code)) {
      if (below(2) == 0) continue;
      const bool open = below(2) == 0;
      const auto value = static_cast<std::uint16_t>(below(moves_.cells()[cell].values.size()));
      thread.buffer.insert(
          thread.buffer.begin() + static_cast<std::ptrdiff_t>(below(thread.buffer.size() + 1)),
          open ? Message::own(cell) : Message::own(cell, value));
    }
  }

  const ThreadMoves& moves_;
  std::mt19937_64 random_;
};

std::string text(const Concrete& c) {
  std::string out = fmt::format("memory {}", fmt::join(c.memory, " "));
  for (std::size_t t = 0; t < c.posts.size(); ++t) {
    out += fmt::format(" | {}:", c.posts[t]);
    for (const Message m : c.buffers[t])
      out += fmt::format(" {}{}={}", m.is_own() ? "!" : "", m.cell(), m.value());
  }
  return out;
}

std::vector<DualDraft> predecessors(DualSystem& system, const DualDraft& of) {
  std::vector<DualDraft> result;
  system.predecessors(DualConfiguration(of),
                      [&](DualConfiguration&& p, const DualSystem::Label&) { result.push_back(p.draft()); });
  return result;
}

// Every configuration with a step above the draft is above a predecessor, or above the draft itself.
void expect_complete(const Subject& subject, const DualDraft& draft, const std::vector<DualDraft>& before,
                     Random& random, std::size_t& found) {
  const ForwardMachine machine(*subject.moves);
  for (int i = 0; i < 400; ++i) {
    Concrete c = random.concrete(i % 2 == 0 || before.empty() ? draft : before[random.below(before.size())]);
    for (std::size_t n = random.below(4); n > 0; --n) random.disturb(c);
    bool steps = false;
    machine.successors(c, [&](const Concrete& next) { steps |= is_above(next, draft); });
    if (!steps) continue;
    ++found;
    bool covered = is_above(c, draft);
    for (const DualDraft& p : before) covered |= is_above(c, p);
    ASSERT_TRUE(covered) << text(c);
  }
}

// One step leads from what a predecessor stands for to what the draft stands for, perhaps after the oldest
// messages were dropped.
void expect_sound(const Subject& subject, const DualDraft& draft, const DualDraft& before, Random& random) {
  const ForwardMachine machine(*subject.moves);
  const Concrete c = random.concrete(before);
  bool reaches = false;
  machine.successors(c, [&](const Concrete& next) { reaches |= is_above(next, draft); });
  ASSERT_TRUE(reaches) << text(c);
}

class DualPredecessors : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DualPredecessors, OfTheTextbookAreThoseOfTheDefinition) {
  std::size_t found = 0;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + 25; ++seed) {
    const Subject subject(seed);
    if (!subject.usable()) continue;
    DualSystem system(*subject.moves, {.most = {1, 1}}, true);
    Random random(*subject.moves, seed);
    for (int i = 0; i < 12; ++i) {
      const DualDraft draft = random.draft();
      const std::vector<DualDraft> before = predecessors(system, draft);
      expect_complete(subject, draft, before, random, found);
      for (const DualDraft& p : before) expect_sound(subject, draft, p, random);
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", draft " << i;
    }
  }
  EXPECT_GT(found, 500u);  // otherwise nothing was tested
}

INSTANTIATE_TEST_SUITE_P(Seeds, DualPredecessors, testing::Range<std::uint64_t>(1, 201, 25));

}  // namespace weir::test::dual_tso_test
