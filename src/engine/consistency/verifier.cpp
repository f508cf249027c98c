#include "engine/consistency/verifier.hpp"

#include "engine/consistency/naive.hpp"
#include "engine/consistency/verify_pso.hpp"
#include "engine/consistency/verify_tso.hpp"
#include "program/ordering.hpp"

namespace weir::consistency {

Outcome Verifier::verify(const Instance& instance, const VerifyOptions& options, Context* context) {
  WEIR_ASSERT(instance.complete(), "every read has sources that write its variable");
  witness_ = {};
  contradiction_.reset();
  without_source_ = EventId::none();
  figures_ = {};
  model_ = options.model;
  cyclic_ = false;
  return buffers_stores(options.model) ? verify_buffered(instance, options, context)
                                       : verify_sc(instance, options, context);
}

template <class Close, class Search>
Outcome Verifier::decide(const VerifyOptions& options, Context* context, std::size_t events, Close&& close,
                         Search&& search) {
  const auto attempt = [&](std::uint64_t prefixes) {
    figures_.searched = true;
    Budget budget(context, prefixes);
    const Outcome outcome = search(budget);
    figures_.prefixes += budget.spent();
    return outcome;
  };
  if (options.closure == ClosureUse::kNever) return attempt(kNoLimit);
  if (options.closure == ClosureUse::kWhenHard)
    if (const Outcome quick = attempt(events); quick != Outcome::kUnknown) return quick;
  if (close()) return attempt(kNoLimit);
  return Outcome::kInconsistent;
}

Outcome Verifier::verify_buffered(const Instance& instance, const VerifyOptions& options, Context* context) {
  WEIR_CHECK(instance.is_reads_from(), "TSO and PSO are decided for one source per read");
  layout_.build(instance, options.model);
  contradiction_ = layout_.contradiction;
  if (contradiction_) return Outcome::kInconsistent;
  const auto close = [&] {
    cyclic_ = !closure_.run(layout_);
    const auto required = closure_.requirements();
    figures_.edges = required.size();
    if (!cyclic_) layout_.require(required);
    return !cyclic_;
  };
  const auto search = [&](Budget& budget) {
    if (options.algorithm == Algorithm::kNaive) return verify_naively(layout_, scratch_, budget);
    return reorders_stores(options.model) ? verify_pso(layout_, scratch_, budget)
                                          : verify_tso(layout_, scratch_, budget);
  };
  const Outcome outcome = decide(options, context, layout_.events, close, search);
  if (outcome == Outcome::kConsistent) witness_ = scratch_.prefix.trail();
  return outcome;
}

Outcome Verifier::verify_sc(const Instance& instance, const VerifyOptions& options, Context* context) {
  sc_layout_.build(instance);
  const auto close = [&] {
    const bool closed = sc_closure_.run(sc_layout_);
    const auto required = sc_closure_.requirements();
    figures_.edges = required.size();
    if (closed) sc_layout_.require(required);
    if (sc_closure_.without_source() != kNone) without_source_ = EventId(sc_closure_.without_source());
    cyclic_ = !closed && !without_source_;
    return closed;
  };
  const auto search = [&](Budget& budget) {
    return verify_sc_.run(sc_layout_, options.algorithm == Algorithm::kNaive, scratch_, budget);
  };
  const Outcome outcome = decide(options, context, sc_layout_.events, close, search);
  if (outcome == Outcome::kConsistent) witness_ = verify_sc_.witness();
  return outcome;
}

std::vector<CycleEdge> Verifier::cycle() const {
  std::vector<CycleEdge> result;
  if (!cyclic_) return result;
  const OrderGraph& graph = buffers_stores(model_) ? closure_.graph() : sc_closure_.graph();
  const auto step = [&](Index node) {
    return buffers_stores(model_) ? closure_.step(node) : Step{EventId(node), false};
  };
  for (const OrderEdge& edge : graph.cycle())
    result.push_back({step(edge.from), step(edge.to), edge.reason,
                      edge.read == OrderGraph::kNobody ? EventId::none() : EventId(edge.read)});
  return result;
}

}  // namespace weir::consistency
