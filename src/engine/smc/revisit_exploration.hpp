// All executions of a program, each once: graph-based exploration with revisits [Kokologiannakis22, TruSt],
// under SC, TSO and PSO, for any kind of graph that stands for an equivalence.
//
// The graph is extended step by step, in an order that depends on the graph alone. A read may take its value
// from any write in the graph that leaves it possible; a write may go to any place that does. What these
// branches miss are reads from writes that come into the graph later. So when a step with writes is complete,
// it also *revisits* earlier reads of the same cells: the read now reads from the new step, and everything
// that came after the read and is no cause of the new step is taken away. Two graphs can lead to the same
// revisit; only one of them may do it. That one is the graph in which all that is taken away was added in the
// canonical way (the graph says which; with coherence: reads from the last write, writes put last, the first
// of several choices), which exists for every revisit and only once. So every execution is met exactly once,
// nothing is remembered, and the memory needed is that of the graphs on the path.
//
// For this to work, what is canonical must depend only on what is left when all later things, apart from the
// causes of the revisiting step, are taken away; not on the order in which that came into the graph. And it
// must always be possible.
//
// This was chosen over wake-up trees [Abdulla14] and over the mutation of schedules [Toman21] because it
// needs neither sleep sets nor trees nor schedules, because the memory models are a matter of which edges the
// graph has, and because the same exploration serves all equivalences.
//
// Here it goes beyond the text in these points.
//   - Atomic blocks and read-modify-writes are one node with several reads, and each read has its own place
//   in
//     the order of things: a revisit can take away the later part of a node, which is then executed again.
//     Writes get their places when the node is complete. In such a node the canonical read is the last one
//     that the node's earlier reads allow.
//   - A read-modify-write of what another one has consumed has no place for its write; it only revisits. If a
//     node has more reads than the one in conflict, these can still be revisited themselves, so it is put off
//     until nothing else can be done.
//   - A step that waits (for a mutex, a thread, a flag or a test-and-set lock that it polls) is put off as
//     long as there is nothing it can go on with. Reads with which it cannot go on are kept only if memory
//     can end like that; there they can be revisited. An execution in which a thread is left waiting although
//     a later write would let it go on is not one: fairness would let it read again.
//
// A graph has as many bits per row as the template says; if that is too few, `overflowed` says so.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/archive.hpp"
#include "base/context.hpp"
#include "base/fault.hpp"
#include "engine/smc/execution_endings.hpp"
#include "engine/smc/graph_steps.hpp"
#include "engine/smc/step_prospects.hpp"
#include "engine/smc/work_item.hpp"

namespace weir {

// Who follows which subtree, if several searches share the work: whoever comes first.
class SubtreeClaims {
 public:
  // True for the first who asks.
  bool claim(std::size_t subtree) {
    const std::scoped_lock one_at_a_time(mutex_);
    if (subtree >= taken_.size()) taken_.resize(subtree + 1);
    if (taken_[subtree]) return false;
    return taken_[subtree] = true;
  }

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(taken_);
  }

 private:
  std::mutex mutex_;
  std::vector<bool> taken_;
};

// One of several searches that share the work: all walk the upper part of the tree of branches, in the same
// order, and each follows the subtrees below that it is the first to claim.
struct Share {
  bool first = true;                // counts what ends in the upper part
  SubtreeClaims* claims = nullptr;  // none: there is one search only

  static constexpr std::uint32_t kDepth = 10;  // of the upper part
};

template <class ExplorationGraph>
class RevisitExploration {
 public:
  using Graph = ExplorationGraph;
  using Set = typename Graph::Set;

  // Told of every complete execution; false ends the exploration.
  using Visitor = std::function<bool(const Graph&, const Ending&)>;

  RevisitExploration(ThreadSteps& steps, Model model, bool observers, Share share, Context& context,
                     Visitor visitor)
      : steps_(steps),
        model_(model),
        share_(share),
        context_(context),
        visitor_(std::move(visitor)),
        endings_(steps, observers),
        prospects_(steps) {}

  void run() {
    if (!begun_) begin();
    begun_ = true;
    while (!frames_.empty() && !stopped_) {
      if ((counts.graphs & kPollMask) == 0 && pause) pause();
      if ((++counts.graphs & kPollMask) == 0) poll();
      Frame& frame = *frames_.back();
      path_.resize(frame.depth);
      path_.push_back(static_cast<std::uint32_t>(frame.next));
      const Alternative chosen = frame.alternatives[frame.next++];
      const bool last = frame.next == frame.alternatives.size();
      depth_ = frame.depth + 1;
      if (!is_for_another())
        follow(frame, chosen, last);
      else if (last)
        pop_frame();
    }
  }

  // All that `run` knows: in `pause`, before it, or after it.
  template <class Archive>
  void transfer(Archive& archive) {
    WorkItem work;
    ExplorationCounts done = counts;
    std::uint64_t subtrees = subtrees_;
    if constexpr (!Archive::kReads) work = rest();
    archive(work, done, subtrees, endings_);
    if constexpr (Archive::kReads) go_on_with(work);
    counts = done;
    subtrees_ = static_cast<std::size_t>(subtrees);
  }

  // One random sample of the tree of branches, level by level, with at most `width` branches of each level.
  // The result is, on average, the number of executions; none if it was asked to stop meanwhile.
  template <class Random>
  std::optional<double> sample(std::size_t width, Random& random) {
    double weight = 1, total = 0;
    begin();
    for (std::vector<std::unique_ptr<Frame>> level; !frames_.empty();) {
      std::swap(level, frames_);
      std::vector<std::pair<Frame*, Alternative>> branches;
      for (const auto& frame : level)
        for (const Alternative& each : frame->alternatives) branches.emplace_back(frame.get(), each);
      const std::size_t kept = std::min(width, branches.size());
      weight *= static_cast<double>(branches.size()) / static_cast<double>(kept);
      const std::uint64_t before = counts.traces + counts.blocked;
      for (std::size_t i = 0; i < kept; ++i) {
        std::swap(branches[i], branches[i + random() % (branches.size() - i)]);
        if (context_.stopped() || (asked_to_stop && asked_to_stop())) {
          std::ranges::move(level, std::back_inserter(spare_));
          std::ranges::move(frames_, std::back_inserter(spare_));
          frames_.clear();
          return std::nullopt;
        }
        follow(*branches[i].first, branches[i].second, false);
      }
      total += weight * static_cast<double>(counts.traces + counts.blocked - before);
      std::ranges::move(level, std::back_inserter(spare_));
      level.clear();
    }
    return total;
  }

  ExplorationCounts counts;
  std::function<bool()> asked_to_stop;      // asked now and then
  std::function<void()> pause;              // called now and then, if set, between two branches
  std::function<std::uint64_t()> expected;  // how many executions there are, about; for progress
  bool overflowed = false;                  // the graph has more nodes than bits

  const ExecutionEndings<Graph>& endings() const { return endings_; }

 private:
  enum class Kind : std::uint8_t { kChoice, kRead, kPlace, kRevisit };

  struct Alternative {
    Kind kind = Kind::kRead;
    NodeId node = 0;
    std::uint32_t a = 0;  // choice: the action; read: the cell; place: the write; revisit: the reader
    std::uint32_t b = 0;  // read: the source; place: the node before; revisit: which read
  };

  // A read that might be revisited.
  struct Candidate {
    NodeId reader = 0;
    std::uint32_t read = 0, stamp = 0;
  };

  // A revisit under way: when the writer has its places, the thread reads from it.
  struct Revisit {
    NodeId writer = kNone;
    std::uint32_t thread = 0, stamp = 0;
  };

  struct Frame {
    Graph graph;
    std::vector<Alternative> alternatives;
    std::size_t next = 0;
    std::uint32_t depth = 0;  // in the tree of branches
    NodeId sole_open = kNone;
    Revisit pending;
  };

  static constexpr NodeId kManyOpen = kInitial;  // perhaps

  enum class Progress : std::uint8_t { kGoOn, kBranch, kComplete, kDead };

  static constexpr std::uint64_t kPollMask = 0x1F;

  // --- The stack of branches

  WorkItem rest() const {
    WorkItem work{.begun = begun_};
    if (frames_.empty()) return work;
    work.path.assign(path_.begin(), path_.begin() + frames_.back()->depth);
    for (const auto& frame : frames_)
      work.open.push_back({frame->depth, static_cast<std::uint32_t>(frame->next)});
    return work;
  }

  void go_on_with(const WorkItem& work) {
    begun_ = work.begun;
    if (work.open.empty()) return;
    begin();
    for (const std::uint32_t branch : work.path) take_again(branch);
    path_ = work.path;
    bool fits = frames_.size() == work.open.size();
    for (std::size_t i = 0; fits && i < frames_.size(); ++i) {
      fits = frames_[i]->depth == work.open[i].depth && work.open[i].next < frames_[i]->alternatives.size();
      frames_[i]->next = work.open[i].next;
    }
    if (!fits) throw ArchiveError("the branches of an execution are others");
  }

  void take_again(std::uint32_t branch) {
    if (frames_.empty() || branch >= frames_.back()->alternatives.size())
      throw ArchiveError("an execution has no such branch");
    Frame& frame = *frames_.back();
    const Alternative chosen = frame.alternatives[branch];
    frame.next = branch + 1;
    depth_ = frame.depth + 1;
    follow(frame, chosen, frame.next == frame.alternatives.size());
  }

  void begin() {
    current_ = Graph();
    current_.reset(steps_.thread_count(), model_);
    pending_ = {};
    sole_open_ = kManyOpen;
    depth_ = 0;
    extend();
  }

  // Goes one branch down; `last`: the frame is not needed any more.
  void follow(Frame& frame, const Alternative& chosen, bool last) {
    if (chosen.kind == Kind::kRevisit) {
      take_away(frame.graph, chosen, current_);
      current_.node(chosen.node).status = NodeStatus::kUnplaced;
    } else if (last) {
      std::swap(current_, frame.graph);
    } else {
      current_ = frame.graph;
    }
    pending_ = chosen.kind == Kind::kRevisit ? revisit_of(frame.graph, chosen) : frame.pending;
    sole_open_ = chosen.kind == Kind::kRevisit ? kManyOpen : frame.sole_open;
    if (last) pop_frame();
    if (apply(chosen))
      extend();
    else
      ++counts.dead;
  }

  Frame& push_frame() {
    if (spare_.empty()) spare_.push_back(std::make_unique<Frame>());
    frames_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    frames_.back()->next = 0;
    return *frames_.back();
  }

  void pop_frame() {
    spare_.push_back(std::move(frames_.back()));
    frames_.pop_back();
  }

  void poll() {
    if (context_.stopped() || (asked_to_stop && asked_to_stop())) stopped_ = true;
    if (!share_.first || !context_.progress_due()) return;
    const std::uint64_t whole = expected ? expected() : 0;
    context_.report_progress({.phase = std::string("explore ") + name(model_),
                              .states = counts.traces,
                              .queue = frames_.size(),
                              .unit = "executions",
                              .expected = whole > counts.traces ? whole : 0});
  }

  // Extends the current graph until it is complete or there is more than one way to go on.
  void extend() {
    for (;;) {
      alternatives_.clear();
      const Progress progress = advance();
      if (progress == Progress::kComplete) return complete();
      if (progress == Progress::kDead) {
        ++counts.dead;
        return;
      }
      if (progress == Progress::kGoOn) continue;
      if (alternatives_.empty()) {
        ++counts.dead;
        return;
      }
      if (alternatives_.size() == 1 && alternatives_[0].kind != Kind::kRevisit) {
        if (apply(alternatives_[0])) continue;
        ++counts.dead;
        return;
      }
      Frame& frame = push_frame();
      std::swap(frame.graph, current_);
      std::swap(frame.alternatives, alternatives_);
      frame.pending = pending_;
      frame.sole_open = sole_open_;
      frame.depth = depth_;
      return;
    }
  }

  // Is the branch just taken the root of a subtree that another search follows?
  bool is_for_another() {
    if (share_.claims == nullptr || depth_ != Share::kDepth) return false;
    return !share_.claims->claim(subtrees_++);
  }

  // --- One thing after the other

  Progress advance() {
    Graph& g = current_;
    if (g.full()) {
      overflowed = stopped_ = true;
      return Progress::kDead;
    }
    if (pending_.writer != kNone) {
      if (g.node(pending_.writer).status == NodeStatus::kUnplaced)
        return offer_places(pending_.writer, false);
      return read_again();
    }
    if (const NodeId open = open_node(); open != kNone) return go_on(open);
    return start_step();
  }

  // False if the graph has become impossible.
  bool apply(const Alternative& chosen) {
    Graph& g = current_;
    switch (chosen.kind) {
      case Kind::kChoice: return g.add_read(chosen.node, kChoiceCell, chosen.a, g.new_stamp());
      case Kind::kRead: return g.add_read(chosen.node, chosen.a, chosen.b, g.new_stamp());
      case Kind::kPlace: return place(chosen);
      case Kind::kRevisit: break;
    }
    return true;
  }

  bool place(const Alternative& chosen) {
    Graph& g = current_;
    GraphNode& n = g.node(chosen.node);
    if (chosen.a + 1 == n.first_write + n.writes) n.status = NodeStatus::kDone;
    return g.place(chosen.a, chosen.b);
  }

  static bool is_open(NodeStatus status) {
    return status == NodeStatus::kOpen || status == NodeStatus::kUnplaced;
  }

  // A node that is not at its end, before whose moment no other such node is.
  NodeId open_node() {
    if (sole_open_ != kManyOpen) {
      if (sole_open_ != kNone && is_open(current_.node(sole_open_).status)) return sole_open_;
      return sole_open_ = kNone;
    }
    NodeId found = kNone;
    for (std::size_t t = 0; t < current_.thread_count(); ++t) {
      const std::vector<NodeId>& order = current_.thread(t);
      if (order.empty()) continue;
      const NodeStatus status = current_.node(order.back()).status;
      if (!is_open(status)) continue;
      if (status == NodeStatus::kUnplaced) return order.back();
      if (found == kNone || current_.past(found).test(order.back())) found = order.back();
    }
    return found;
  }

  Progress go_on(NodeId id) {
    Graph& g = current_;
    if (g.node(id).status == NodeStatus::kUnplaced) return offer_places(id, true);
    const StepOutcome& outcome = outcome_of(g, steps_, g.node(id));
    const StepResult& result = outcome.result;
    switch (result.kind) {
      case StepResult::Kind::kReads:
        g.for_each_source(id, result.cell, [&](NodeId source) {
          if (!prospects_.waits_in_vain(g, id, result.cell, source) &&
              !updates_in_vain(id, result.cell, source))
            alternatives_.push_back({Kind::kRead, id, result.cell, source});
        });
        if (fault("lost-source") && alternatives_.size() > 2) alternatives_.pop_back();
        return Progress::kBranch;
      case StepResult::Kind::kChooses:
        for (std::uint32_t i = 0; i < result.choices; ++i) alternatives_.push_back({Kind::kChoice, id, i, 0});
        return Progress::kBranch;
      case StepResult::Kind::kBlocked: return leave_blocked(id);
      case StepResult::Kind::kFails:
        g.finish(id, NodeStatus::kFailed);
        g.node(id).failure = result.failure;
        return Progress::kGoOn;
      case StepResult::Kind::kHalts:
        endings_.note_halt(result.edge);
        g.finish(id, steps_.status_of_halt(result.edge));
        return Progress::kGoOn;
      case StepResult::Kind::kEnds: return end_step(id, outcome);
    }
    return Progress::kDead;
  }

  // Would the step only replace what another one has replaced already, and revisit nothing?
  bool updates_in_vain(NodeId id, std::uint32_t cell, NodeId source) {
    const Graph& g = current_;
    const GraphNode& n = g.node(id);
    const NodeId rival = g.contested_cells() ? kNone : g.consumer(source, cell);
    if (rival == kNone || !comes_too_late(id, n.reads, rival)) return false;
    const OutcomeId step = steps_.go_on(known_part(g, steps_, n), value_of(g, steps_, source, cell));
    const StepOutcome& outcome = steps_.outcome(step);
    if (outcome.result.kind != StepResult::Kind::kEnds || !outcome.changes_memory || !outcome.writes(cell))
      return false;
    Set cause = g.cause(id);
    if (source != kInitial) {
      cause |= g.cause(source);
      cause.set(source);
    }
    candidates_.clear();
    for (const WrittenCell& write : outcome.written)
      collect_candidates(id, write.cell, cause, std::span(&rival, 1));
    return keep_revisitable<BeforeAtBest<Set>>(id, cause).empty();
  }

  // A node reads, after its first `reads` reads, what `rival` has replaced before: can these reads never put it before
  // the rival? They cannot if the rival has read the same. Then the last read will never be canonical: nothing that
  // is older can be revisited, and no read of the node.
  bool comes_too_late(NodeId id, std::uint32_t reads, NodeId rival) const {
    const Graph& g = current_;
    for (std::uint32_t r = 0; r < reads; ++r) {
      const GraphRead& known = g.read(g.node(id), r);
      if (known.cell == kChoiceCell) continue;
      const GraphRead* same = g.read_of(g.node(rival), known.cell);
      if (same == nullptr || same->source != known.source || g.write_of(g.node(rival), known.cell) != kNone)
        return false;
    }
    return true;
  }

  // The node, which is executed but has no places, reads last what this one has replaced; none if it does not.
  NodeId rival_of_last_read(NodeId id) const {
    const Graph& g = current_;
    const GraphNode& n = g.node(id);
    const GraphRead& last = g.read(n, n.reads - 1);
    if (g.contested_cells() || last.cell == kChoiceCell || g.write_of(n, last.cell) == kNone) return kNone;
    const NodeId rival = g.consumer(last.source, last.cell);
    return rival != kNone && comes_too_late(id, n.reads - 1, rival) ? rival : kNone;
  }

  // Does a step with these causes, if it revisits a read with this stamp, take away what the other node has written?
  bool takes_away(const Set& cause, std::uint32_t stamp, NodeId other) const {
    return !cause.test(other) && current_.node(other).end_stamp > stamp;
  }

  Progress end_step(NodeId id, const StepOutcome& outcome) {
    Graph& g = current_;
    g.node(id).inner = outcome.result.state;
    for (const std::uint32_t status : outcome.blocks) g.note_touch(id, status);
    if (!outcome.changes_memory && repeats(g, id)) return leave_blocked(id);
    if (outcome.written.empty()) {
      g.node(id).status = NodeStatus::kDone;
      if (g.node(id).reads == 0) g.finish(id, NodeStatus::kDone);
      return Progress::kGoOn;
    }
    for (const WrittenCell& write : outcome.written)
      g.add_write(id, write.cell, write.value, write.read_back);
    g.finish(id, NodeStatus::kUnplaced);
    return Progress::kGoOn;
  }

  Progress leave_blocked(NodeId id) {
    Graph& g = current_;
    if (!g.may_wait(id)) return Progress::kDead;
    g.node(id).status = NodeStatus::kBlocked;
    return Progress::kGoOn;
  }

  // Places for the next write of a node that has none yet, and the reads that the node revisits.
  Progress offer_places(NodeId id, bool revisits) {
    Graph& g = current_;
    const GraphNode& n = g.node(id);
    std::uint32_t w = n.first_write;
    while (w < n.first_write + n.writes && g.is_placed(w)) ++w;
    if (revisits && w == n.first_write && n.reads > 1 && !g.finds_places(id)) {
      if (rival_of_last_read(id) != kNone) return offer_revisits(id), Progress::kBranch;
      g.node(id).status = NodeStatus::kConflict;
      return Progress::kGoOn;
    }
    g.for_each_place(w, [&](NodeId previous) { alternatives_.push_back({Kind::kPlace, id, w, previous}); });
    if (revisits && w == n.first_write) offer_revisits(id);
    return Progress::kBranch;
  }

  // --- Starting steps

  Progress start_step() {
    std::size_t conflicting = kNone;
    for (std::size_t t = 0; t < steps_.thread_count(); ++t) {
      if (!can_start(current_, steps_, t)) continue;
      const std::uint32_t action = next_action(current_, steps_, t);
      if (action == kNone) return choose(t);
      const Prospect prospect = prospects_.look_ahead(current_, t, action);
      if (prospect == Prospect::kReady) return start(t, action);
      if (prospect == Prospect::kConflict && conflicting == kNone) conflicting = t;
    }
    if (conflicting != kNone) return start(conflicting, next_action(current_, steps_, conflicting));
    bool conflict = false;
    for (std::size_t t = 0; t < steps_.thread_count(); ++t) {
      if (current_.thread(t).empty()) continue;
      const NodeId last = current_.thread(t).back();
      if (current_.node(last).status != NodeStatus::kConflict) continue;
      conflict = true;
      offer_revisits(last);
    }
    return conflict ? Progress::kBranch : Progress::kComplete;
  }

  Progress start(std::size_t t, std::uint32_t action) {
    sole_open_ = add_node(current_, steps_, t, action);
    return Progress::kGoOn;
  }

  // A node of its own says which of several actions the thread takes.
  Progress choose(std::size_t t) {
    Graph& g = current_;
    const StateId state = state_of(g, steps_, t);
    const auto count = static_cast<std::uint32_t>(steps_.automaton(t).actions(state).size());
    const NodeId id = g.add_node(static_cast<std::uint32_t>(t), state, kNone, 0, kNone);
    g.node(id).status = NodeStatus::kDone;
    for (std::uint32_t i = 0; i < count; ++i) alternatives_.push_back({Kind::kChoice, id, i, 0});
    return Progress::kBranch;
  }

  // --- Revisits

  void offer_revisits(NodeId id) {
    const Graph& g = current_;
    const GraphNode& n = g.node(id);
    const std::vector<NodeId> rivals = rivals_of(id);
    candidates_.clear();
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      collect_candidates(id, g.write(w).cell, g.cause(id), rivals);
    for (const Candidate& each : keep_revisitable<Before<Set>>(id, g.cause(id)))
      alternatives_.push_back({Kind::kRevisit, id, each.reader, each.read});
  }

  // Reads of the cell that a step with these causes may revisit, if they and what follows are canonical.
  void collect_candidates(NodeId id, std::uint32_t cell, const Set& cause, std::span<const NodeId> rivals) {
    const Graph& g = current_;
    g.cell(cell).touching.for_each([&](std::size_t i) {
      const auto reader = static_cast<NodeId>(i);
      if (reader == id || cause.test(reader)) return;
      const GraphNode& other = g.node(reader);
      for (std::uint32_t r = 0; r < other.reads; ++r) {
        const GraphRead& read = g.read(other, r);
        const auto goes = [&](NodeId rival) { return takes_away(cause, read.stamp, rival); };
        if (read.cell == cell && std::ranges::all_of(rivals, goes))
          candidates_.push_back({reader, r, read.stamp});
      }
    });
  }

  // Leaves those candidates with which all that would be taken away, and the read itself, was added in the canonical
  // way. `cause`: of the step that revisits.
  template <class There>
  const std::vector<Candidate>& keep_revisitable(NodeId id, const Set& cause) {
    if (candidates_.empty()) return candidates_;
    const Graph& g = current_;
    const std::uint32_t oldest = std::ranges::min(candidates_, {}, &Candidate::stamp).stamp;
    const std::vector<GraphItem>& items = g.items();
    std::uint32_t since = kNone;  // from here on, all is canonical
    for (std::size_t i = items.size(); i-- > 0 && items[i].stamp >= oldest;) {
      const GraphItem& item = items[i];
      if (item.node == id || cause.test(item.node)) continue;
      const There there = There{Before<Set>{item.stamp, id, cause}};
      const bool canonical = item.read == kNone ? g.canonical_end(item.node, there)
                                                : g.canonical_read(item.node, item.read, there);
      if (!canonical) break;
      since = item.stamp;
    }
    std::erase_if(candidates_, [&](const Candidate& each) { return each.stamp < since; });
    return candidates_;
  }

  // Those that have replaced what the node replaces, too: as long as they are there, it has no place.
  std::vector<NodeId> rivals_of(NodeId id) const {
    const Graph& g = current_;
    std::vector<NodeId> rivals;
    for (std::uint32_t r = 0; r < g.node(id).reads; ++r) {
      const GraphRead& read = g.read(g.node(id), r);
      if (read.cell == kChoiceCell || g.write_of(g.node(id), read.cell) == kNone) continue;
      if (const NodeId rival = g.consumer(read.source, read.cell); rival != kNone && rival != id)
        rivals.push_back(rival);
    }
    return rivals;
  }

  static void take_away(const Graph& from, const Alternative& revisit, Graph& to) {
    const Set& cause = from.cause(revisit.node);
    const std::uint32_t stamp = from.read(from.node(revisit.a), revisit.b).stamp;
    to.copy_part(from, [&](const GraphItem& item) {
      return item.node == revisit.node || cause.test(item.node) || item.stamp < stamp;
    });
  }

  static Revisit revisit_of(const Graph& g, const Alternative& revisit) {
    const GraphNode& reader = g.node(revisit.a);
    return {revisit.node, reader.thread, g.read(reader, revisit.b).stamp};
  }

  // The read that was revisited comes back, with what it reads now.
  Progress read_again() {
    Graph& g = current_;
    const Revisit revisit = pending_;
    const std::vector<NodeId>& order = g.thread(revisit.thread);
    const bool open = !order.empty() && g.node(order.back()).status == NodeStatus::kOpen;
    const NodeId id =
        open ? order.back() : add_node(g, steps_, revisit.thread, next_action(g, steps_, revisit.thread));
    const StepResult& result = outcome_of(g, steps_, g.node(id)).result;
    WEIR_ASSERT(result.kind == StepResult::Kind::kReads, "the read that was taken away comes next");
    pending_ = {};
    if (!g.can_read(id, result.cell, revisit.writer)) return Progress::kDead;
    return g.add_read(id, result.cell, revisit.writer, revisit.stamp) ? Progress::kGoOn : Progress::kDead;
  }

  void complete() {
    if (!share_.first && depth_ < Share::kDepth) return;  // the first search counts these
    const Ending ending = endings_.judge(current_);
    if (ending.ways == 0) {
      ++counts.unfair;
      return;
    }
    (ending.cut ? counts.cut : ending.blocked ? counts.blocked : counts.traces) += ending.ways;
    if (ending.violates()) counts.violating += ending.ways;
    if (visitor_ && !visitor_(current_, ending)) stopped_ = true;
  }

  ThreadSteps& steps_;
  Model model_;
  Share share_;
  Context& context_;
  Visitor visitor_;
  ExecutionEndings<Graph> endings_;
  StepProspects<Graph> prospects_;
  Graph current_;
  NodeId sole_open_ = kManyOpen;  // of the nodes of the current graph; kNone: there is none
  Revisit pending_;
  bool begun_ = false;
  std::uint32_t depth_ = 0;
  std::vector<std::uint32_t> path_;  // the branches taken, by depth
  std::size_t subtrees_ = 0;         // met
  std::vector<Alternative> alternatives_;
  std::vector<Candidate> candidates_;
  std::vector<std::unique_ptr<Frame>> frames_, spare_;
  bool stopped_ = false;
};

}  // namespace weir
