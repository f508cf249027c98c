#include "engine/loop_watch.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

constexpr std::size_t kSuspicious = 10'000;  // local states at one location

SourcePosition position_of(const Program& program, LocationId id) {
  const Location& location = program.location(id);
  if (location.position.known()) return location.position;
  for (const EdgeId edge : location.edges)
    if (program.edge(edge).position.known()) return program.edge(edge).position;
  return {};
}

}  // namespace

std::string LoopWatch::look_at(const Program& program, ThreadId thread, const ThreadAutomaton& automaton) {
  look_again_.resize(std::max(look_again_.size(), program.threads.size()), kSuspicious);
  std::size_t& look_again = look_again_[thread.index()];
  if (automaton.state_count() < look_again) return {};
  look_again = automaton.state_count() * 4;
  std::vector<std::size_t> count(program.locations.size());
  for (std::size_t s = 0; s < automaton.state_count(); ++s)
    if (const LocationId location = automaton.innermost_location(StateId(s))) ++count[location.index()];
  const auto most = std::ranges::max_element(count);
  if (most == count.end() || *most < kSuspicious) return {};
  const SourcePosition position =
      position_of(program, LocationId(static_cast<std::size_t>(most - count.begin())));
  if (!position.known()) return {};
  return fmt::format(
      "thread {} has come to {}:{} in {} different local states: if a loop there has no bound, this does not "
      "end",
      program.thread(thread).name, program.sources.file(position.file).path, position.line, *most);
}

}  // namespace weir
