#include "report/fairness_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/json/parts.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

// Only vertices that the user knows.
std::vector<Vertex> given(const Arena& arena, const std::vector<Vertex>& vertices) {
  std::vector<Vertex> result;
  for (const Vertex v : vertices)
    if (v < arena.given) result.push_back(v);
  return result;
}

std::vector<Vertex> winning_vertices(const FairnessReport& report) {
  std::vector<Vertex> result;
  for (Vertex v = 0; v < report.arena.given; ++v)
    if (report.found.winning[v]) result.push_back(v);
  return result;
}

const char* verdict(const FairnessReport& report) {
  return !report.found.stopped.empty() ? "unknown" : report.found.fair ? "fair" : "unfair";
}

// The beginning of a path, as much as is readable.
std::string path_text(const std::vector<Vertex>& vertices) {
  constexpr std::size_t kShown = 40;
  std::string out;
  for (std::size_t i = 0; i < vertices.size() && i < kShown; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : " ", vertices[i]);
  if (vertices.size() > kShown) out += fmt::format(" … ({} in all)", vertices.size());
  return out;
}

// Where the player goes. Vertices that a front end added are told by where they lead.
Json strategy_json(const FairnessReport& report) {
  Json out = Json::object();
  for (Vertex v = 0; v < report.arena.vertices(); ++v)
    if (!report.found.strategy->choices[v].empty())
      out[std::to_string(v)] = report.found.strategy->choices[v];
  return out;
}

Json added_json(const Arena& arena) {
  Json out = Json::object();
  for (auto v = static_cast<Vertex>(arena.given); v < arena.vertices(); ++v)
    out[std::to_string(v)] = std::vector<Vertex>(arena.successors(v).begin(), arena.successors(v).end());
  return out;
}

}  // namespace

std::string fairness_reason(const FairnessReport& report) {
  if (!report.found.stopped.empty()) return report.found.stopped;
  const Vertex initial = report.arena.initial;
  if (report.found.chance)
    return report.found.fair
               ? fmt::format("from {} a strategy satisfies all pairs with probability one", initial)
               : fmt::format("from {} no strategy satisfies all pairs with probability one", initial);
  return report.found.fair ? fmt::format("from {} there is a play that satisfies all pairs", initial)
                           : fmt::format("from {} every play violates a pair, or ends", initial);
}

std::string fairness_verdict_line(const FairnessReport& report, const Presentation& presentation) {
  if (!report.found.stopped.empty())
    return fmt::format("{}: {}\n", tinted("UNKNOWN", Tint::kUnsure, presentation), report.found.stopped);
  return fmt::format("{}: {}\n",
                     report.found.fair ? tinted("FAIR", Tint::kGood, presentation)
                                       : tinted("UNFAIR", Tint::kBad, presentation),
                     fairness_reason(report));
}

std::string fairness_text(const FairnessReport& report, const RunInfo& run,
                          const Presentation& presentation) {
  std::string out = fairness_verdict_line(report, presentation);
  if (!report.found.stopped.empty()) return out;
  const std::vector<Vertex> winning = winning_vertices(report);
  if (report.found.lasso) {
    const std::vector<Vertex> stem = given(report.arena, report.found.lasso->stem);
    if (!stem.empty()) out += fmt::format("  first      {}\n", path_text(stem));
    out += fmt::format("  for ever   {}\n", path_text(given(report.arena, report.found.lasso->loop)));
  }
  out += fmt::format("{} of {} states win.\n", winning.size(), report.arena.given);
  if (report.list)
    for (const Vertex v : winning) out += fmt::format("{}\n", v);
  out += cost_line(report.found.statistics, run, presentation);
  return out;
}

std::string fairness_json(const FairnessReport& report, const RunInfo& run) {
  const Bound bound;
  Json out = answer_json(
      {report.found.algorithm, verdict(report), fairness_reason(report), bound, report.found.statistics},
      run);
  out.erase("model");
  if (!report.found.stopped.empty()) return dump(out);
  const std::vector<Vertex> winning = winning_vertices(report);
  out["kind"] = report.found.chance ? "mdp" : "graph";
  out["vertices"] = report.arena.given;
  out["initial"] = report.arena.initial;
  out["winning"] = winning.size();
  if (report.list) out["winning_vertices"] = winning;
  if (report.found.lasso) {
    out["lasso"]["stem"] = given(report.arena, report.found.lasso->stem);
    out["lasso"]["loop"] = given(report.arena, report.found.lasso->loop);
  }
  if (report.found.strategy && report.list) {
    out["strategy"] = strategy_json(report);
    if (report.arena.given < report.arena.vertices()) out["added"] = added_json(report.arena);
  }
  return dump(out);
}

}  // namespace weir
