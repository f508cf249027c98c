#include "frontend/rmm/fence_edits.hpp"

#include <set>

#include "frontend/rmm/syntax.hpp"

namespace weir {

namespace {

using rmm::Statement;

using Positions = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // line and column

// Where statements start that can have a fence before them.
void collect(const std::vector<Statement>& statements, Positions& positions) {
  for (const Statement& s : statements) {
    if (s.kind != Statement::Kind::kWhile) positions.emplace(s.position.line, s.position.column);
    if (s.kind == Statement::Kind::kLocked) continue;
    const bool single = s.kind == Statement::Kind::kIf || s.kind == Statement::Kind::kWhile;
    for (const auto& branch : s.branches) {
      collect(branch, positions);
      const SourcePosition first = branch.front().position;
      if (single) positions.erase({first.line, first.column});
    }
  }
}

}  // namespace

std::vector<bool> rmm_fence_sites(const Program& program, std::string_view text) {
  Positions positions;
  for (const rmm::Process& process : rmm::parse(FileId(0), text).processes) collect(process.body, positions);
  std::vector<bool> sites;
  for (const Location& location : program.locations)
    sites.push_back(positions.contains({location.position.line, location.position.column}));
  return sites;
}

std::vector<TextEdit> rmm_fence_edits(const Program& program, std::string_view text,
                                      std::span<const LocationId> locations) {
  const LineTable lines(text);
  std::vector<TextEdit> edits;
  for (const LocationId location : locations) {
    const std::size_t at = lines.offset(program.location(location).position);
    edits.push_back({at, at, "fence; "});
  }
  return edits;
}

}  // namespace weir
