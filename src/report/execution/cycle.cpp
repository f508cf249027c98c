#include "report/execution/cycle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "report/execution/source_names.hpp"

namespace weir {

namespace {

// What stands between the events of one unit, where nothing can come between them.
constexpr const char* kTogether = "at once";

const char* verb(const TraceEvent& event) {
  if (event.reads && event.writes) return "updates";
  return event.reads ? "reads" : "writes";
}

const char* meaning(Relation relation) {
  switch (relation) {
    case Relation::kProgramOrder: return "po: later in the thread";
    case Relation::kReadsFrom: return "rf: read by the next";
    case Relation::kCoherence: return "co: overwritten by the next";
    case Relation::kFromRead: return "fr: reads what the next overwrites";
  }
  return "";
}

class CycleText {
 public:
  CycleText(const Program& program, const Witness& witness, const Presentation& presentation)
      : program_(program),
        presentation_(presentation),
        names_(program, witness),
        relation_(happens_before(program, witness)),
        cycle_(told_cycle(relation_)) {
    if (cycle_.empty()) return;
    lines_ = lines(true);
    if (std::ranges::any_of(lines_, [&](const std::string& line) { return line_too_wide(line); }))
      lines_ = lines(false);
  }

  std::string text() const {
    if (cycle_.empty()) return "";
    std::string out = "Under sequential consistency, each of these would have to come before the next:\n\n";
    for (const std::string& line : lines_) out += line + "\n";
    return out + tinted(legend(), Tint::kDim, presentation_) + "\n";
  }

 private:
  bool line_too_wide(const std::string& line) const { return display_width(line) > presentation_.width; }

  std::vector<std::string> lines(bool with_files) const {
    std::vector<std::string> out{"  " + event_text(cycle_.front().from, with_files)};
    for (std::size_t i = 0; i < cycle_.size(); ++i) {
      out.push_back(
          fmt::format("    --{}-->  {}", name(cycle_[i].relation), event_text(cycle_[i].to, with_files)));
      const std::size_t next = cycle_[(i + 1) % cycle_.size()].from;
      if (next != cycle_[i].to)
        out.push_back(fmt::format("    {}  {}", kTogether, event_text(next, with_files)));
    }
    return out;
  }

  std::string event_text(std::size_t index, bool with_files) const {
    const TraceEvent& event = relation_.events[index];
    return fmt::format("{} {} {}{}", printable(program_.thread(event.thread).name), verb(event),
                       printable(names_.address(event.address)),
                       place_text(names_.own_position(event.edge), with_files));
  }

  std::string place_text(SourcePosition position, bool with_files) const {
    if (!position.file || !position.known()) return "";
    if (!with_files) return fmt::format(" (line {})", position.line);
    return fmt::format(" ({}:{})", printable(program_.sources.file(position.file).path), position.line);
  }

  // The relations that occur, one per line where they do not fit into one.
  std::string legend() const {
    std::vector<std::string> parts;
    for (const HappensBeforeEdge& edge : cycle_)
      if (std::ranges::find(parts, meaning(edge.relation)) == parts.end())
        parts.emplace_back(meaning(edge.relation));
    std::string out = fmt::format("({})", fmt::join(parts, "; "));
    return line_too_wide(out) ? fmt::format("({})", fmt::join(parts, ";\n ")) : out;
  }

  const Program& program_;
  const Presentation& presentation_;
  const SourceNames names_;
  HappensBefore relation_;
  std::vector<HappensBeforeEdge> cycle_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string cycle_text(const Program& program, const Witness& witness, const Presentation& presentation) {
  return CycleText(program, witness, presentation).text();
}

// A cycle starts anywhere; people look for the store that came too late.
std::vector<HappensBeforeEdge> told_cycle(const HappensBefore& relation) {
  std::vector<HappensBeforeEdge> cycle = relation.cycle();
  const auto first = std::ranges::find_if(
      cycle, [&](const HappensBeforeEdge& edge) { return is_overtaken(relation, edge); });
  if (first != cycle.end()) std::ranges::rotate(cycle, first);
  return cycle;
}

bool is_overtaken(const HappensBefore& relation, const HappensBeforeEdge& edge) {
  const TraceEvent& from = relation.events[edge.from];
  const TraceEvent& to = relation.events[edge.to];
  return from.thread == to.thread && from.writes && from.visible > to.step;
}

}  // namespace weir
