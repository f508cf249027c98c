#include "export/dot/dot.hpp"

#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

#include "program/text/text.hpp"

namespace weir {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

class DotWriter {
 public:
  DotWriter(const Program& program, const Witness* witness)
      : program_(program), texts_(instruction_texts(program)), locations_of_(program.functions.size()) {
    for (std::size_t i = 0; i < program.locations.size(); ++i)
      locations_of_[program.locations[i].function.index()].emplace_back(i);
    const auto mark = [&](const std::vector<ThreadLocation>& list) {
      for (const ThreadLocation& place : list) marks_.insert({place.thread, place.location});
    };
    for (const auto& goal : program.properties.goals) mark(goal);
    for (const auto& list : program.properties.exclusive) mark(list);
    if (witness != nullptr) number_steps(*witness);
  }

  std::string run() {
    put("digraph \"{}\" {{\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
        escaped(program_.name));
    std::set<FunctionId> called;
    for (const Edge& edge : program_.edges)
      if (edge.instruction.op == Opcode::kCall) called.insert(edge.instruction.callee);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      cluster(fmt::format("t{}", t), program_.threads[t].name, program_.threads[t].function, ThreadId(t));
    for (const FunctionId function : called)
      cluster(fmt::format("f{}", function.index()), program_.function(function).name + "()", function,
              ThreadId());
    put("}}\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  // Steps in the thread's own function are shown in its cluster, steps in called functions in theirs.
  void number_steps(const Witness& witness) {
    for (std::size_t i = 0; i < witness.steps.size(); ++i) {
      const WitnessStep& step = witness.steps[i];
      if (step.kind == WitnessStep::Kind::kFlush) continue;
      std::string& numbers = steps_[{step.thread, step.edge}];
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", i + 1);
    }
  }

  void cluster(const std::string& id, const std::string& title, FunctionId function, ThreadId thread) {
    put("  subgraph \"cluster_{}\" {{\n    label=\"{}\";\n", id, escaped(title));
    for (const LocationId location : locations_of_[function.index()]) {
      const bool entry = program_.function(function).entry == location;
      const bool marked = marks_.contains({thread, location});
      put("    {}_{} [label=\"{}\"{}{}];\n", id, location.index(), escaped(program_.location_name(location)),
          entry ? ", style=bold" : "", marked ? ", peripheries=2, color=red" : "");
    }
    for (const LocationId location : locations_of_[function.index()])
      for (const EdgeId edge : program_.location(location).edges) arrow(id, edge, thread);
    put("  }}\n");
  }

  void arrow(const std::string& id, EdgeId edge_id, ThreadId thread) {
    const Edge& edge = program_.edge(edge_id);
    const auto taken = steps_.find({thread, edge_id});
    const std::string numbers = taken == steps_.end() ? "" : fmt::format("{}: ", taken->second);
    put("    {}_{} -> {}_{} [label=\"{}{}\"{}];\n", id, edge.source.index(), id, edge.target.index(), numbers,
        escaped(texts_[edge_id.index()]), numbers.empty() ? "" : ", color=red, penwidth=2");
  }

  const Program& program_;
  std::vector<std::string> texts_;
  std::vector<std::vector<LocationId>> locations_of_;
  std::set<std::pair<ThreadId, LocationId>> marks_;
  std::map<std::pair<ThreadId, EdgeId>, std::string> steps_;  // where the witness passes, and when
  std::string out_;
};

}  // namespace

std::string dot_graph(const Program& program, const Witness* witness) {
  return DotWriter(program, witness).run();
}

}  // namespace weir
