#include "engine/fairness/starvation.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>

#include "engine/explicit/witness_builder.hpp"
#include "engine/fairness/plays.hpp"
#include "engine/fairness/program_graph.hpp"

namespace weir::fairness {

namespace {

constexpr Mover kNobody = std::numeric_limits<Mover>::max();
constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

// Threads stop only where somebody looks: at the places.
Program observing(const Program& program, const std::vector<Response>& responses) {
  Program result = program;
  result.properties = Properties{};
  auto& places = result.properties.goals.emplace_back();
  for (const Response& response : responses) {
    places.insert(places.end(), response.request.begin(), response.request.end());
    places.insert(places.end(), response.grant.begin(), response.grant.end());
  }
  return result;
}

class StarvationSearch {
 public:
  // With an abstraction buffers have no bound, and `proves` is what to ask.
  StarvationSearch(const Program& program, const std::vector<Response>& responses,
                   const StarvationOptions& options, Context& context,
                   std::optional<BufferAbstraction> abstraction = std::nullopt)
      : responses_(responses),
        options_(options),
        context_(context),
        graph_(observing(program, responses), system_options(options, abstraction)) {}

  Answer run() {
    answer_.engine = "fairness";
    if (!graph_.build(context_)) return unknown(describe(context_.stop_reason()));
    find_vertices();
    set_figures();
    for (const Response& response : responses_) {
      const bool holds =
          options_.scheduler == Scheduler::kDice ? almost_sure(response) : holds_fairly(response);
      if (context_.stopped() && !violated_) return unknown(describe(context_.stop_reason()));
      if (!holds) return answer_;
    }
    if (const std::string why = graph_.left_out(); !why.empty()) return unknown(why);
    answer_.verdict = Verdict::kSafe;
    answer_.reason = options_.scheduler == Scheduler::kDice
                         ? "every request is granted almost surely"
                         : "every request is granted in every fair execution";
    if (graph_.bounded()) {
      answer_.verdict = Verdict::kUnknown;
      answer_.reason +=
          fmt::format(" with at most {} stores in a buffer; there can be more", options_.buffer);
      answer_.bound.emplace_back("buffer", std::to_string(options_.buffer));
    }
    return answer_;
  }

  // Are all requests granted, for all that this abstraction tells?
  bool proves(std::size_t most_states) {
    if (!graph_.build(context_, most_states)) return false;
    find_vertices();
    const bool all = std::ranges::all_of(responses_, [&](const Response& response) {
      const Arena arena = without_grants(at(response.grant), false);
      return !lost_request(response, solve(arena, fairness_pairs())) && !context_.stopped();
    });
    return all && graph_.left_out().empty();
  }

  std::size_t states() const { return graph_.states(); }

 private:
  // A state, who moved last, and what became of a store by it; for chance also: who is about to, while the
  // program decides how.
  struct Place {
    StateNumber state;
    Mover last;
    bool deciding = false;
    StoreEvent event = kNoEvent;
  };

  static SystemOptions system_options(const StarvationOptions& options,
                                      const std::optional<BufferAbstraction>& abstraction) {
    SystemOptions result{.model = options.model, .local_steps = options.local_steps};
    result.abstraction = abstraction;
    if (!abstraction) result.buffer = options.buffer;
    return result;
  }

  Answer unknown(std::string reason) {
    answer_.verdict = Verdict::kUnknown;
    answer_.reason = std::move(reason);
    return answer_;
  }

  Vertex vertex(StateNumber state, Mover last, bool deciding = false, StoreEvent event = kNoEvent) {
    const std::tuple key{std::uint64_t{state} << 1 | (deciding ? 1 : 0), last, event};
    const auto [place, added] = numbers_.try_emplace(key, static_cast<Vertex>(places_.size()));
    if (added) places_.push_back({state, last, deciding, event});
    return place->second;
  }

  void find_vertices() {
    vertex(0, kNobody);
    parents_.push_back(kNoVertex);
    for (Vertex v = 0; v < places_.size(); ++v) {
      if (options_.scheduler == Scheduler::kDice)
        expand_with_dice(v);
      else
        expand(v);
      while (parents_.size() < places_.size()) parents_.push_back(v);
    }
  }

  void expand(Vertex v) {
    const StateNumber state = places_[v].state;
    for (const auto& [mover, target, event] : graph_.successors(state))
      edges_.emplace_back(v, vertex(target, mover, false, event));
    if (graph_.ended(state)) edges_.emplace_back(v, vertex(state, kNobody));
  }

  void expand_with_dice(Vertex v) {
    const Place place = places_[v];
    const auto successors = graph_.successors(place.state);
    const auto ways = [&](Mover mover) {
      return std::ranges::count(successors, mover, &ProgramGraph::Transition::mover);
    };
    for (const auto& [mover, target, event] : successors) {
      if (place.deciding && mover != place.last) continue;
      const bool decides = !place.deciding && ways(mover) > 1;
      edges_.emplace_back(v, decides ? vertex(place.state, mover, true) : vertex(target, mover));
    }
    if (graph_.ended(place.state)) edges_.emplace_back(v, vertex(place.state, kNobody));
  }

  void set_figures() {
    answer_.statistics.set("states", std::uint64_t{graph_.states()});
    answer_.statistics.set("transitions", std::uint64_t{graph_.transitions()});
    answer_.statistics.set("vertices", std::uint64_t{places_.size()});
    answer_.statistics.set("edges", std::uint64_t{edges_.size()});
  }

  void add_steps(const StreettResult& result) {
    steps_ += result.figures.first_steps + result.figures.search_steps + result.figures.reach_steps;
    answer_.statistics.set("symbolic_steps", steps_);
  }

  std::vector<bool> at(const std::vector<ThreadLocation>& places) {
    std::vector<bool> states(graph_.states());
    for (StateNumber s = 0; s < graph_.states(); ++s) states[s] = graph_.at(s, places);
    std::vector<bool> result(places_.size());
    for (Vertex v = 0; v < places_.size(); ++v) result[v] = states[places_[v].state];
    return result;
  }

  // The vertices where the mover can move, or could with a longer buffer.
  std::vector<bool> enabled(Mover mover) const {
    std::vector<bool> states(graph_.states(), false);
    for (StateNumber s = 0; s < graph_.states(); ++s)
      states[s] = graph_.held_back(s, mover) ||
                  std::ranges::any_of(graph_.successors(s), [&](const auto& t) { return t.mover == mover; });
    std::vector<bool> result(places_.size());
    for (Vertex v = 0; v < places_.size(); ++v) result[v] = states[places_[v].state];
    return result;
  }

  std::vector<StreettPair> fairness_pairs() {
    std::vector<StreettPair> pairs;
    for (Mover mover = 0; mover < graph_.movers(); ++mover) {
      const bool thread = graph_.is_thread(mover);
      if (thread ? options_.scheduler == Scheduler::kAny : !options_.fair_flushes) continue;
      const bool strong = !thread || options_.scheduler == Scheduler::kStrong;
      const std::vector<bool> can = enabled(mover);
      StreettPair& pair = pairs.emplace_back();
      for (Vertex v = 0; v < places_.size(); ++v) {
        if (!strong || can[v]) pair.requests.push_back(v);
        if (places_[v].last == mover || (!strong && !can[v])) pair.grants.push_back(v);
      }
    }
    add_store_pairs(pairs);
    return pairs;
  }

  // An abstract buffer may flush a store again and again that entered it once, or never flush one that it
  // holds. No infinite execution does: a store leaves infinitely often only if it enters infinitely often;
  // and the other way round, if flushes are fair and it is not others who hold it back.
  void add_store_pairs(std::vector<StreettPair>& pairs) {
    for (std::size_t store = 0; store < graph_.stores(); ++store) {
      StreettPair leaving, entering;
      for (Vertex v = 0; v < places_.size(); ++v) {
        const bool enters = places_[v].event == 2 * store, leaves = places_[v].event == 2 * store + 1;
        if (leaves) leaving.requests.push_back(v);
        if (enters) leaving.grants.push_back(v);
        if (enters) entering.requests.push_back(v);
        if (leaves || graph_.stuck(places_[v].state, store)) entering.grants.push_back(v);
      }
      pairs.push_back(std::move(leaving));
      if (options_.fair_flushes) pairs.push_back(std::move(entering));
    }
  }

  // The vertices as they are, and only edges between vertices without a grant; with `sinks` also edges to
  // vertices with one.
  Arena without_grants(const std::vector<bool>& granted, bool sinks) const {
    std::vector<Arena::Edge> edges;
    for (const Arena::Edge& edge : edges_)
      if (!granted[edge.first] && (sinks || !granted[edge.second])) edges.push_back(edge);
    return Arena(places_.size(), std::move(edges));
  }

  StreettResult solve(const Arena& arena, const std::vector<StreettPair>& pairs) {
    StreettResult result = solve_streett(arena, pairs, options_.streett, &context_);
    add_steps(result);
    return result;
  }

  // A request from which a fair play without a grant was found.
  std::optional<Vertex> lost_request(const Response& response, const StreettResult& result) {
    if (!result.complete) return std::nullopt;
    const std::vector<bool> requested = at(response.request), granted = at(response.grant);
    for (Vertex v = 0; v < places_.size(); ++v)
      if (requested[v] && !granted[v] && result.winning[v]) return v;
    return std::nullopt;
  }

  bool holds_fairly(const Response& response) {
    const Arena arena = without_grants(at(response.grant), false);
    const std::vector<StreettPair> pairs = fairness_pairs();
    const StreettResult result = solve(arena, pairs);
    const std::optional<Vertex> lost = lost_request(response, result);
    if (lost) report(response, *lost, find_lasso(arena, pairs, result, *lost));
    return !lost;
  }

  bool almost_sure(const Response& response) {
    const std::vector<bool> requested = at(response.request), granted = at(response.grant);
    Arena arena = without_grants(granted, true);
    for (Vertex v = 0; v < places_.size(); ++v)
      if (!places_[v].deciding) arena.set_random(v);
    const StreettResult result = solve_streett(arena, {}, options_.streett, &context_);
    add_steps(result);
    if (!result.complete) return true;
    const std::vector<bool> doomed = can_reach(arena, result.components);
    for (Vertex v = 0; v < places_.size(); ++v)
      if (requested[v] && !granted[v] && doomed[v]) {
        violated_ = true;
        answer_.verdict = Verdict::kUnsafe;
        answer_.reason = fmt::format("with positive probability, {} fails", response.name);
        return false;
      }
    return true;
  }

  static std::vector<bool> can_reach(const Arena& arena, const std::vector<std::vector<Vertex>>& goals) {
    std::vector<std::vector<Vertex>> before(arena.vertices());
    for (Vertex v = 0; v < arena.vertices(); ++v)
      for (const Vertex next : arena.successors(v)) before[next].push_back(v);
    std::vector<bool> reached(arena.vertices(), false);
    std::vector<Vertex> queue;
    const auto add = [&](Vertex v) {
      if (!reached[v]) queue.push_back(v);
      reached[v] = true;
    };
    for (const auto& goal : goals) std::ranges::for_each(goal, add);
    for (std::size_t i = 0; i < queue.size(); ++i) std::ranges::for_each(before[queue[i]], add);
    return reached;
  }

  // The way to the request, then the lasso. One round of the loop is told before it counts as one: the first
  // time, registers that nobody reads again may still hold something else.
  void report(const Response& response, Vertex request, const Lasso& lasso) {
    std::vector<Vertex> path{request};
    for (Vertex v = request; parents_[v] != kNoVertex; v = parents_[v]) path.push_back(parents_[v]);
    std::reverse(path.begin(), path.end());
    path.pop_back();
    path.insert(path.end(), lasso.stem.begin(), lasso.stem.end());
    path.insert(path.end(), lasso.loop.begin(), lasso.loop.end());
    path.push_back(lasso.loop.front());

    WitnessBuilder builder(graph_.system());
    builder.start_all();
    append(builder, path);
    Starvation starvation;
    starvation.loop = builder.size();
    starvation.request = response.request;
    starvation.grant = response.grant;
    starvation.weak = options_.scheduler == Scheduler::kWeak;
    starvation.strong = options_.scheduler == Scheduler::kStrong;
    starvation.flushes = options_.fair_flushes;
    std::vector<Vertex> round = lasso.loop;
    round.push_back(lasso.loop.front());
    append(builder, round);
    violated_ = true;
    answer_.verdict = Verdict::kUnsafe;
    answer_.witness =
        builder.finish({.kind = ViolationKind::kStarvation, .message = response.name + " fails"});
    answer_.witness->starvation = std::move(starvation);
  }

  void append(WitnessBuilder& builder, const std::vector<Vertex>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Place& to = places_[path[i + 1]];
      if (to.last == kNobody) continue;
      builder.append(graph_.record(places_[path[i]].state, {to.last, to.state}));
    }
  }

  const std::vector<Response>& responses_;
  const StarvationOptions& options_;
  Context& context_;
  ProgramGraph graph_;
  std::vector<Place> places_;
  absl::flat_hash_map<std::tuple<std::uint64_t, Mover, StoreEvent>, Vertex> numbers_;
  std::vector<Vertex> parents_;
  std::vector<Arena::Edge> edges_;
  std::uint64_t steps_ = 0;
  bool violated_ = false;
  Answer answer_;
};

void try_without_bound(const Program& program, const std::vector<Response>& responses,
                       const StarvationOptions& options, Context& context, std::size_t bounded_states,
                       Answer& answer) {
  const std::size_t most_states = 100'000 + 20 * bounded_states;
  for (const std::uint32_t queue : {0u, 1u, 2u, 4u}) {
    const BufferAbstraction abstraction = partial_coherence_with(queue);
    if (context.stopped()) return;
    if (!holds_with_abstraction(program, responses, options, abstraction, most_states, context)) continue;
    answer.verdict = Verdict::kSafe;
    answer.reason = fmt::format(
        "every request is granted in every fair execution, with buffers of any length; shown with {}",
        describe(abstraction));
    answer.bound.clear();
    return;
  }
}

}  // namespace

bool holds_with_abstraction(const Program& program, const std::vector<Response>& responses,
                            const StarvationOptions& options, const BufferAbstraction& abstraction,
                            std::size_t most_states, Context& context) {
  WEIR_CHECK(options.model == Model::kTso && options.scheduler != Scheduler::kDice,
             "only buffers of TSO can be coarser, and chance does not commute with that");
  return StarvationSearch(program, responses, options, context, abstraction).proves(most_states);
}

Answer check_starvation(const Program& program, const std::vector<Response>& responses,
                        const StarvationOptions& options, Context& context) {
  StarvationSearch search(program, responses, options, context);
  Answer answer = search.run();
  const bool bounded = answer.verdict == Verdict::kUnknown && !answer.bound.empty();
  if (bounded && options.model == Model::kTso && options.scheduler != Scheduler::kDice)
    try_without_bound(program, responses, options, context, search.states(), answer);
  return answer;
}

}  // namespace weir::fairness
