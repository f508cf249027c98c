#include "program/analysis/polling.hpp"

#include <fmt/format.h>

#include "program/analysis/liveness.hpp"

namespace weir {

namespace {

// Per location: is it inside an atomic block?
std::vector<bool> inside_blocks(const Program& program) {
  std::vector<bool> inside(program.locations.size());
  std::vector<LocationId> open;
  for (const Edge& edge : program.edges)
    if (edge.instruction.op == Opcode::kAtomicBegin) open.push_back(edge.target);
  while (!open.empty()) {
    const LocationId location = open.back();
    open.pop_back();
    if (inside[location.index()]) continue;
    inside[location.index()] = true;
    for (const EdgeId id : program.location(location).edges)
      if (program.edge(id).instruction.op != Opcode::kAtomicEnd) open.push_back(program.edge(id).target);
  }
  return inside;
}

class Polling {
 public:
  explicit Polling(const Program& program)
      : inside_(inside_blocks(program)), live_(program), result_(program) {}

  Program run(Polled which) {
    for (std::size_t e = 0; e < old_edges_; ++e) {
      const Instruction& i = result_.edges[e].instruction;
      if (i.op == Opcode::kLoad && i.waits && (which == Polled::kAll || !i.until)) poll(EdgeId(e));
    }
    return std::move(result_);
  }

 private:
  void poll(EdgeId id) {
    const Edge old = result_.edge(id);
    const Type type = old.instruction.type;
    // A load in vain must not be seen: it changes the register only if that makes no difference there.
    const Function& function = result_.function(result_.location(old.source).function);
    const bool visible = live_.live(old.source, old.instruction.result) ||
                         function.registers[old.instruction.result.index()].type != type;
    const RegisterId polled = visible ? fresh_register(old.source, type) : old.instruction.result;
    const LocationId loaded = fresh_location(old);
    const LocationId done = visible ? fresh_location(old) : old.target;
    Edge& load = result_.edges[id.index()];
    load.target = loaded;
    load.instruction.waits = load.instruction.until = false;
    load.instruction.result = polled;
    load.instruction.c = ExprId::none();
    const bool until = old.instruction.until;
    add_test(loaded, done, polled, old, until);
    if (!inside_[old.source.index()]) add_test(loaded, old.source, polled, old, !until);
    if (visible)
      result_.add_edge(done, old.target,
                       {.op = Opcode::kAssign,
                        .result = old.instruction.result,
                        .a = result_.register_value(polled, type)},
                       old.position);
  }

  RegisterId fresh_register(LocationId at, Type type) {
    const FunctionId function = result_.location(at).function;
    const std::string name = fmt::format("polled{}", result_.function(function).registers.size());
    return result_.add_register(function, name, type);
  }

  LocationId fresh_location(const Edge& at) {
    return result_.add_location(result_.location(at.source).function, {}, at.position);
  }

  void add_test(LocationId from, LocationId to, RegisterId polled, const Edge& load, bool equal) {
    const ExprId value = result_.register_value(polled, load.instruction.type);
    const ExprId test = result_.binary(equal ? ExprOp::kEq : ExprOp::kNe, value, load.instruction.c);
    result_.add_edge(from, to, {.op = Opcode::kAssume, .a = test}, load.position);
  }

  std::vector<bool> inside_;
  LiveRegisters live_;  // of the program as it was
  Program result_;
  std::size_t old_edges_ = result_.edges.size();  // what is added does not wait
};

}  // namespace

Program with_polling(const Program& program, Polled which) { return Polling(program).run(which); }

}  // namespace weir
