#include "program/analysis/write_bound.hpp"

#include <algorithm>
#include <vector>

namespace weir {

namespace {

// The longest ways, by depth-first search: a location or function that is met again before it is finished is
// part of a loop.
class LongestWays {
 public:
  explicit LongestWays(const Program& program)
      : program_(program), of_location_(program.locations.size()), of_function_(program.functions.size()) {}

  std::optional<std::uint64_t> from(FunctionId id) {
    Length& length = of_function_[id.index()];
    if (length.state == State::kOpen) return std::nullopt;
    if (length.state == State::kDone) return length.writes;
    length.state = State::kOpen;
    const auto writes = search(program_.function(id).entry);
    if (!writes) return std::nullopt;
    of_function_[id.index()] = {State::kDone, *writes};
    return writes;
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Length {
    State state = State::kNew;
    std::uint64_t writes = 0;
  };
  struct Visit {
    LocationId location;
    std::size_t next = 0;  // edge
  };

  // Not recursive, since functions can be long.
  std::optional<std::uint64_t> search(LocationId start) {
    std::vector<Visit> path{{start}};
    of_location_[start.index()].state = State::kOpen;
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::vector<EdgeId>& edges = program_.location(visit.location).edges;
      if (visit.next == edges.size()) {
        if (!finish(visit.location)) return std::nullopt;
        path.pop_back();
        continue;
      }
      const Edge& edge = program_.edge(edges[visit.next++]);
      if (leaves(edge.instruction.op)) continue;
      Length& target = of_location_[edge.target.index()];
      if (target.state == State::kOpen) return std::nullopt;
      if (target.state == State::kDone) continue;
      target.state = State::kOpen;
      path.push_back({edge.target});
    }
    return of_location_[start.index()].writes;
  }

  // All that follows the location is known.
  bool finish(LocationId location) {
    Length& length = of_location_[location.index()];
    for (const EdgeId id : program_.location(location).edges) {
      const Edge& edge = program_.edge(id);
      const auto own = writes_of(edge.instruction);
      if (!own) return false;
      const std::uint64_t rest = leaves(edge.instruction.op) ? 0 : of_location_[edge.target.index()].writes;
      length.writes = std::max(length.writes, *own + rest);
    }
    length.state = State::kDone;
    return true;
  }

  static bool leaves(Opcode op) {
    return op == Opcode::kReturn || op == Opcode::kStop || op == Opcode::kHalt;
  }

  std::optional<std::uint64_t> writes_of(const Instruction& instruction) {
    switch (instruction.op) {
      case Opcode::kStore:
      case Opcode::kRmw:
      case Opcode::kFree: return 1;
      case Opcode::kCall: return from(instruction.callee);
      default: return 0;
    }
  }

  const Program& program_;
  std::vector<Length> of_location_, of_function_;
};

}  // namespace

std::optional<std::uint64_t> most_writes(const Program& program) {
  LongestWays ways(program);
  std::uint64_t sum = 0;
  for (const Thread& thread : program.threads) {
    const auto writes = ways.from(thread.function);
    if (!writes) return std::nullopt;
    sum += *writes;
  }
  return sum;
}

}  // namespace weir
