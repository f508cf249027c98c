#include "export/promela/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "check/reference/evaluator.hpp"

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
    for (const LocationId location : reachable_)
      if (must_stop(location)) plan_.is_stop[location.index()] = true;
    stop_after_observed_assignments();
    cut_local_loops();
    carry_out_beginning();
    for (const LocationId location : reachable_)
      if (plan_.is_stop[location.index()]) plan_.stops.push_back(location);
    const auto entry = std::find(plan_.stops.begin(), plan_.stops.end(), plan_.entry);
    if (entry != plan_.stops.end()) std::rotate(plan_.stops.begin(), entry, entry + 1);
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

  // The local computation before the first visible action, carried out here as far as only one way is open.
  void carry_out_beginning() {
    constexpr int kLongest = 10'000;
    for (int i = 0; i < kLongest && !plan_.is_stop[plan_.entry.index()]; ++i) {
      const auto edge = only_way_on();
      if (!edge || !carry_out(program_.edge(*edge))) return;
      plan_.entry = program_.edge(*edge).target;
    }
  }

  std::optional<Value> value(ExprId id) const {
    return evaluate(program_, id, [&](const Expression& leaf) { return plan_.initial[leaf.reg.index()]; });
  }

  std::optional<EdgeId> only_way_on() const {
    std::optional<EdgeId> found;
    for (const EdgeId id : program_.location(plan_.entry).edges) {
      const Instruction& instruction = program_.edge(id).instruction;
      if (instruction.op == Opcode::kAssume && value(instruction.a) == Value{0}) continue;
      if (found) return std::nullopt;
      found = id;
    }
    return found;
  }

  // False if the instruction fails or is not one for here.
  bool carry_out(const Edge& edge) {
    const Instruction& instruction = edge.instruction;
    if (instruction.op == Opcode::kNop) return true;
    if (instruction.op != Opcode::kAssign && instruction.op != Opcode::kAssume) return false;
    const auto result = value(instruction.a);
    if (!result) return false;
    if (instruction.op == Opcode::kAssume) return *result != 0;
    const FunctionId function = program_.thread(plan_.thread).function;
    const Type type = program_.function(function).registers[instruction.result.index()].type;
    plan_.initial[instruction.result.index()] = wrap(static_cast<std::uint64_t>(*result), type);
    return true;
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

  // A depth-first walk over the locations that are not stops; the target of a back edge becomes one.
  void cut_local_loops() {
    enum class Mark : std::uint8_t { kNew, kOpen, kDone };
    std::vector<Mark> marks(program_.locations.size(), Mark::kNew);
    struct Frame {
      LocationId location;
      std::size_t next_edge;
    };
    for (const LocationId root : reachable_) {
      if (marks[root.index()] != Mark::kNew || plan_.is_stop[root.index()]) continue;
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
        if (plan_.is_stop[target.index()]) continue;
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
