#include "report/promela_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace weir::promela_form {

namespace {

class Planner {
 public:
  Planner(const Program& program, ThreadId thread, const std::set<LocationId>& marked,
          const std::set<RegisterId>& observed)
      : program_(program), marked_(marked), observed_(observed), in_block_(program.locations.size()) {
    plan_.thread = thread;
    plan_.is_stop.resize(program.locations.size());
    const Function& function = program.function(program.thread(thread).function);
    plan_.entry = function.entry;
    for (const Register& reg : function.registers) plan_.initial.push_back(reg.initial);
    const auto& arguments = program.thread(thread).arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      plan_.initial[i] = wrap(static_cast<std::uint64_t>(arguments[i]), function.registers[i].type);
  }

  ThreadPlan run() {
    find_reachable();
    skip_fixed_beginning();
    for (const LocationId location : reachable_)
      if (must_stop(location)) plan_.is_stop[location.index()] = true;
    stop_after_observed_assignments();
    plan_.is_stop[plan_.entry.index()] = true;
    cut_local_loops();
    plan_.stops.push_back(plan_.entry);
    for (const LocationId location : reachable_)
      if (plan_.is_stop[location.index()] && location != plan_.entry) plan_.stops.push_back(location);
    return std::move(plan_);
  }

 private:
  // Reachable locations, and which of them are inside atomic blocks (consistently, as validated).
  void find_reachable() {
    std::vector<bool> seen(program_.locations.size());
    reachable_.push_back(plan_.entry);
    seen[plan_.entry.index()] = true;
    for (std::size_t i = 0; i < reachable_.size(); ++i)
      for (const EdgeId id : program_.location(reachable_[i]).edges) {
        const Edge& edge = program_.edge(id);
        if (seen[edge.target.index()]) continue;
        seen[edge.target.index()] = true;
        const Opcode op = edge.instruction.op;
        in_block_[edge.target.index()] =
            op == Opcode::kAtomicBegin || (in_block_[reachable_[i].index()] && op != Opcode::kAtomicEnd);
        reachable_.push_back(edge.target);
      }
  }

  // Assignments of constants before the first visible action become initial values.
  void skip_fixed_beginning() {
    for (std::size_t i = 0; i < program_.locations.size(); ++i) {
      const Location& here = program_.location(plan_.entry);
      if (marked_.contains(plan_.entry) || here.edges.size() != 1) return;
      const Edge& edge = program_.edge(here.edges[0]);
      if (edge.instruction.op == Opcode::kAssign) {
        const Expression& e = program_.expression(edge.instruction.a);
        if (e.op != ExprOp::kConstant || observed_.contains(edge.instruction.result)) return;
        plan_.initial[edge.instruction.result.index()] = e.constant;
      } else if (edge.instruction.op != Opcode::kNop) {
        return;
      }
      plan_.entry = edge.target;
    }
  }

  bool must_stop(LocationId id) const {
    if (in_block_[id.index()]) return false;
    const Location& location = program_.location(id);
    return location.edges.empty() || marked_.contains(id) ||
           std::any_of(location.edges.begin(), location.edges.end(),
                       [&](EdgeId edge) { return is_visible(program_.edge(edge).instruction.op); });
  }

  void stop_after_observed_assignments() {
    for (const LocationId location : reachable_)
      for (const EdgeId id : program_.location(location).edges) {
        const Edge& edge = program_.edge(id);
        if (edge.instruction.result && observed_.contains(edge.instruction.result) &&
            !in_block_[edge.target.index()])
          plan_.is_stop[edge.target.index()] = true;
      }
  }

  // A depth-first walk that does not pass stops; the target of a back edge becomes a stop, too.
  void cut_local_loops() {
    enum class Mark : std::uint8_t { kNew, kOpen, kDone };
    std::vector<Mark> marks(program_.locations.size(), Mark::kNew);
    struct Frame {
      LocationId location;
      std::size_t next_edge;
    };
    for (const LocationId root : reachable_) {
      if (marks[root.index()] != Mark::kNew) continue;
      std::vector<Frame> stack{{root, 0}};
      marks[root.index()] = Mark::kOpen;
      while (!stack.empty()) {
        const LocationId here = stack.back().location;
        const auto& edges = program_.location(here).edges;
        if (stack.back().next_edge == edges.size()) {
          marks[here.index()] = Mark::kDone;
          stack.pop_back();
          continue;
        }
        const LocationId target = program_.edge(edges[stack.back().next_edge++]).target;
        if (plan_.is_stop[target.index()] && marks[target.index()] != Mark::kNew) continue;
        if (marks[target.index()] == Mark::kOpen) {
          if (in_block_[target.index()]) plan_.loops_in_atomic = true;
          plan_.is_stop[target.index()] = true;
        } else if (marks[target.index()] == Mark::kNew) {
          marks[target.index()] = Mark::kOpen;
          stack.push_back({target, 0});
        }
      }
    }
  }

  const Program& program_;
  const std::set<LocationId>& marked_;
  const std::set<RegisterId>& observed_;
  std::vector<bool> in_block_;
  std::vector<LocationId> reachable_;
  ThreadPlan plan_;
};

}  // namespace

bool is_visible(Opcode op) {
  switch (op) {
    case Opcode::kNop:
    case Opcode::kAssign:
    case Opcode::kAssume:
    case Opcode::kAssert:
    case Opcode::kCall:
    case Opcode::kReturn:
    case Opcode::kAtomicEnd: return false;
    default: return true;
  }
}

ThreadPlan plan_thread(const Program& program, ThreadId thread, const std::set<LocationId>& marked,
                       const std::set<RegisterId>& observed) {
  return Planner(program, thread, marked, observed).run();
}

}  // namespace weir::promela_form
