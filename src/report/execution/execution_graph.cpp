// Both drawings show the relations between neighbours only, as `happens_before` gives them. In the picture a
// thread is a column, its accesses are boxes below each other, and a relation between two boxes is a bent
// arrow; arrows between the same boxes bend apart.
#include "report/execution/execution_graph.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

#include "report/execution/storyline.hpp"

namespace weir {

namespace {

const char* colour_of(Relation relation) {
  switch (relation) {
    case Relation::kProgramOrder: return "#444444";
    case Relation::kReadsFrom: return "#c0392b";
    case Relation::kCoherence: return "#1f5fbf";
    case Relation::kFromRead: return "#b8860b";
  }
  return "black";
}

std::string shown_value(const Program& program, const SourceNames& names, const TraceEvent& event, Value value) {
  return names.value(value, program.edge(event.edge).instruction.type, event.address);
}

// For DOT strings and for XML alike.
std::string escaped(std::string_view text, bool xml) {
  std::string out;
  for (const char c : text) {
    if (xml && c == '&')
      out += "&amp;";
    else if (xml && c == '<')
      out += "&lt;";
    else if (xml && c == '>')
      out += "&gt;";
    else if (!xml && (c == '"' || c == '\\'))
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::vector<std::vector<std::size_t>> events_of_threads(const Program& program, const HappensBefore& order) {
  std::vector<std::vector<std::size_t>> threads(program.threads.size());
  for (std::size_t e = 0; e < order.events.size(); ++e) threads[order.events[e].thread.index()].push_back(e);
  return threads;
}

struct Point {
  double x = 0, y = 0;
};

class Picture {
 public:
  Picture(const Program& program, const Witness& witness)
      : program_(program), names_(program, witness), order_(happens_before(program, witness)), at_(order_.events.size()) {
    const auto threads = events_of_threads(program, order_);
    std::size_t longest = 1;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      longest = std::max(longest, threads[t].size());
      for (std::size_t row = 0; row < threads[t].size(); ++row)
        at_[threads[t][row]] = {kLeft + kColumn * static_cast<double>(t),
                                kTop + kRow * static_cast<double>(row)};
    }
    width_ = 2 * kLeft + kColumn * static_cast<double>(std::max<std::size_t>(threads.size(), 1) - 1);
    height_ = kTop + kRow * static_cast<double>(longest - 1) + kBox + kLegend;
  }

  std::string draw() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
        "font-family=\"monospace\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n",
        width_, height_);
    draw_arrow_heads();
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      text({kLeft + kColumn * static_cast<double>(t), kTop - kBox - 8}, program_.threads[t].name, "#000000",
           "bold");
    std::map<std::pair<std::size_t, std::size_t>, int> drawn;
    for (const HappensBeforeEdge& edge : order_.edges)
      draw_edge(edge, drawn[std::minmax(edge.from, edge.to)]++);
    for (std::size_t e = 0; e < order_.events.size(); ++e) draw_event(e);
    draw_legend();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  static constexpr double kColumn = 220, kRow = 90, kLeft = 110, kTop = 70, kBox = 14, kBoxWidth = 116,
                          kLegend = 44;
  static constexpr std::array kRelations = {Relation::kProgramOrder, Relation::kReadsFrom,
                                            Relation::kCoherence, Relation::kFromRead};

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void text(Point at, std::string_view words, const char* colour, const char* weight = "normal") {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\" font-weight=\"{}\">{}</text>\n",
        at.x, at.y, colour, weight, escaped(words, true));
  }

  void draw_arrow_heads() {
    out_ += "<defs>\n";
    for (const Relation relation : kRelations)
      put("<marker id=\"{}\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" orient=\"auto\">"
          "<path d=\"M0,0 L9,4 L0,8 z\" fill=\"{}\"/></marker>\n",
          name(relation), colour_of(relation));
    out_ += "</defs>\n";
  }

  void draw_event(std::size_t event) {
    const Point at = at_[event];
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" fill=\"#f4f4f4\" "
        "stroke=\"#888888\"/>\n",
        at.x - kBoxWidth / 2, at.y - kBox, kBoxWidth, 2 * kBox);
    text({at.x, at.y + 5}, event_label(program_, names_, order_.events[event]), "#000000");
  }

  // Where the line from one box to a point meets its border.
  static Point border(Point box, Point towards) {
    const double dx = towards.x - box.x, dy = towards.y - box.y;
    const double fraction =
        std::min(dx == 0 ? 1e9 : kBoxWidth / 2 / std::abs(dx), dy == 0 ? 1e9 : kBox / std::abs(dy));
    return {box.x + dx * std::min(fraction, 1.0), box.y + dy * std::min(fraction, 1.0)};
  }

  // `number`: how many arrows join these two boxes already.
  void draw_edge(const HappensBeforeEdge& edge, int number) {
    const Point from = at_[edge.from], to = at_[edge.to];
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1.0);
    const bool straight = edge.relation == Relation::kProgramOrder && number == 0;
    const double bend = straight ? 0
                                 : (same_column(from, to) ? 180.0 : 34.0) * (number % 2 == 0 ? 1 : -1) *
                                       (1 + 0.5 * (number / 2));
    const Point middle{(from.x + to.x) / 2 - dy / length * bend, (from.y + to.y) / 2 + dx / length * bend};
    const Point begin = border(from, middle), end = border(to, middle);
    put("<path d=\"M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"1.5\" "
        "marker-end=\"url(#{})\"/>\n",
        begin.x, begin.y, middle.x, middle.y, end.x, end.y, colour_of(edge.relation), name(edge.relation));
    text({(begin.x + 2 * middle.x + end.x) / 4 + 10, (begin.y + 2 * middle.y + end.y) / 4 - 3},
         name(edge.relation), colour_of(edge.relation));
  }

  static bool same_column(Point a, Point b) { return a.x == b.x; }

  void draw_legend() {
    const char* const words[] = {"po: program order", "rf: reads from", "co: coherence", "fr: from read"};
    std::string line;
    for (const char* word : words) line += fmt::format("{}{}", line.empty() ? "" : ", ", word);
    put("<text x=\"12\" y=\"{:.1f}\" font-size=\"11\" fill=\"#666666\">{}</text>\n", height_ - 12, line);
  }

  const Program& program_;
  const SourceNames names_;
  HappensBefore order_;
  std::vector<Point> at_;  // the middle of the box of each event
  double width_ = 0, height_ = 0;
  std::string out_;
};

}  // namespace

std::string event_label(const Program& program, const SourceNames& names, const TraceEvent& event) {
  const std::string place = names.address(event.address);
  if (event.reads && event.writes)
    return fmt::format("U {}={}->{}", place, shown_value(program, names, event, event.read),
                       shown_value(program, names, event, event.written));
  return event.reads ? fmt::format("R {}={}", place, shown_value(program, names, event, event.read))
                     : fmt::format("W {}={}", place, shown_value(program, names, event, event.written));
}

std::string execution_dot(const Program& program, const Witness& witness) {
  const HappensBefore order = happens_before(program, witness);
  const SourceNames names(program, witness);
  std::string out = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=\"monospace\"];\n",
                                escaped(program.name, false));
  const auto threads = events_of_threads(program, order);
  for (std::size_t t = 0; t < threads.size(); ++t) {
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", t,
                       escaped(program.threads[t].name, false));
    for (const std::size_t event : threads[t])
      out += fmt::format("    e{} [label=\"{}\"];\n", event,
                         escaped(event_label(program, names, order.events[event]), false));
    out += "  }\n";
  }
  for (const HappensBeforeEdge& edge : order.edges)
    out += fmt::format("  e{} -> e{} [label=\"{}\", color=\"{}\", fontcolor=\"{}\"{}];\n", edge.from, edge.to,
                       name(edge.relation), colour_of(edge.relation), colour_of(edge.relation),
                       edge.relation == Relation::kProgramOrder ? "" : ", constraint=false");
  return out + "}\n";
}

std::string execution_svg(const Program& program, const Witness& witness) {
  return Picture(program, witness).draw();
}

}  // namespace weir
