// Executions as texts, for tests: equal texts mean equivalent executions.
#pragma once

#include <fmt/format.h>
#include <string>

#include "engine/smc/good_writes_graph.hpp"
#include "engine/smc/graph_steps.hpp"

namespace weir {

template <class Graph>
std::string place_text(const Graph& g, NodeId id) {
  return id == kInitial ? "-" : fmt::format("{}.{}", g.node(id).thread, g.node(id).position);
}

// A line per thread: how each step ended, and `step_text(node)`.
template <class Graph, class StepText>
std::string threads_text(const Graph& g, StepText&& step_text) {
  std::string out;
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    out += fmt::format("t{}:", t);
    for (const NodeId id : g.thread(t))
      out += fmt::format(" {}{}", static_cast<int>(g.node(id).status), step_text(g.node(id)));
    out += '\n';
  }
  return out;
}

template <class Graph, class SourceText>
std::string reads_text(const Graph& g, const GraphNode& n, SourceText&& source_text) {
  std::string out;
  for (std::uint32_t r = 0; r < n.reads; ++r) {
    const GraphRead& read = g.read(n, r);
    out += read.cell == kChoiceCell ? fmt::format("?{}", read.source)
                                    : fmt::format("r{}{}", read.cell, source_text(read));
  }
  return out;
}

// What every thread read from whom and, if the graph knows that, the coherence order of every cell.
template <class Graph>
std::string execution_text(const Graph& g, ThreadSteps& steps) {
  std::string out = threads_text(g, [&](const GraphNode& n) {
    return reads_text(g, n, [&](const GraphRead& read) { return "<" + place_text(g, read.source); });
  });
  if (!Graph::kKnowsCoherence) return out;
  for (std::uint32_t c = 0; c < steps.memory().cell_count(); ++c) {
    if (g.cell(c).first == kNone) continue;
    out += fmt::format("c{}:", c);
    for (std::uint32_t w = g.cell(c).first; w != kNone; w = g.write(w).next)
      out += " " + place_text(g, g.write(w).node);
    out += '\n';
  }
  return out;
}

// What every thread read and wrote; and, after a line that says so, which reads are before which in the order
// of causes.
template <std::size_t Words>
std::string execution_text(const GoodWritesGraph<Words>& graph, ThreadSteps& steps) {
  GoodWritesGraph<Words> g = graph;
  g.decide({});
  std::string out = threads_text(g, [&](const GraphNode& n) {
    std::string step = reads_text(g, n, [&](const GraphRead& read) {
      return fmt::format("={}", value_of(g, steps, read.source, read.cell));
    });
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      step += fmt::format("w{}={}", g.write(w).cell, g.write(w).value);
    return step;
  });
  out += "causes:\n";
  const auto causes = g.causes();
  for (std::size_t t = 0; t < g.thread_count(); ++t)
    for (const NodeId id : g.thread(t)) {
      if (g.node(id).reads == 0) continue;
      out += place_text(g, id) + ":";
      for (std::size_t other_thread = 0; other_thread < g.thread_count(); ++other_thread)
        for (const NodeId other : g.thread(other_thread))
          if (g.node(other).reads > 0 && causes[id].test(other)) out += " " + place_text(g, other);
      out += '\n';
    }
  return out;
}

}  // namespace weir
