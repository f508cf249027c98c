// Graph colouring, greedy: a register clashes with those that are alive when it is written, is taken in the
// order of its first definition and gets the register of what it is copied from or to if that is possible,
// else the first one that clashes with none of its own. Copies between what became one register turn into
// `nop`.
//
// Liveness goes backwards from every read to the definitions, register by register, so the cost is the sum of
// the lengths of the live ranges, not the number of nodes times that of registers.
#include "frontend/c/lowering/registers.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/c/stopping.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::c {

namespace {

bool defines(const Instruction& instruction, RegisterId reg) {
  return instruction.result && instruction.result == reg;
}

class Sharing {
 public:
  Sharing(Graph& graph, Program& program, std::size_t first, const Context* context)
      : graph_(graph),
        program_(program),
        first_(first),
        context_(context),
        live_(graph.node_count),
        clashes_(graph.registers.size()),
        copies_(graph.registers.size()),
        colour_(graph.registers.size()) {}

  void run() {
    find_live();
    find_clashes();
    colour();
    rewrite();
  }

 private:
  void find_live() {
    std::vector<std::vector<NodeId>> reads(graph_.registers.size());
    std::vector<std::vector<std::uint32_t>> entering(graph_.node_count);
    for (std::uint32_t i = 0; i < graph_.edges.size(); ++i) {
      const GraphEdge& edge = graph_.edges[i];
      for (const RegisterId reg : registers_read(program_, edge.instruction))
        reads[reg.index()].push_back(edge.source);
      if (continues(edge.instruction)) entering[edge.target.index()].push_back(i);
    }
    std::vector<std::uint32_t> mark(graph_.node_count);
    for (std::uint32_t r = 0; r < reads.size(); ++r) {
      poll(context_);
      std::vector<NodeId> open = std::move(reads[r]);
      while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        if (mark[node.index()] == r + 1) continue;
        mark[node.index()] = r + 1;
        live_[node.index()].emplace_back(r);
        for (const std::uint32_t i : entering[node.index()])
          if (!defines(graph_.edges[i].instruction, RegisterId(r))) open.push_back(graph_.edges[i].source);
      }
    }
  }

  // The register that an instruction only copies, or none.
  RegisterId copied(const Instruction& instruction) const {
    if (instruction.op != Opcode::kAssign) return {};
    const Expression& e = program_.expression(instruction.a);
    return e.op == ExprOp::kRegister ? e.reg : RegisterId();
  }

  void find_clashes() {
    for (const GraphEdge& edge : graph_.edges) {
      const RegisterId defined = edge.instruction.result;
      if (!defined || !continues(edge.instruction)) continue;
      poll(context_);
      const RegisterId source = copied(edge.instruction);
      for (const RegisterId alive : live_[edge.target.index()])
        if (alive != source) add_clash(defined, alive);
      if (source && source != defined) {
        copies_[defined.index()].push_back(source);
        copies_[source.index()].push_back(defined);
      }
    }
    // What is alive at the entry is a parameter, or starts at 0.
    for (std::uint32_t p = 0; p < graph_.parameter_count; ++p) {
      for (const RegisterId alive : live_[graph_.entry.index()]) add_clash(RegisterId(p), alive);
      for (std::uint32_t q = 0; q < p; ++q) add_clash(RegisterId(p), RegisterId(q));
    }
    const auto& alive = live_[graph_.entry.index()];
    for (std::size_t i = 0; i < alive.size(); ++i) {
      poll(context_);
      for (std::size_t k = 0; k < i; ++k) add_clash(alive[i], alive[k]);
    }
  }

  void add_clash(RegisterId a, RegisterId b) {
    if (a == b || graph_.registers[a.index()].type != graph_.registers[b.index()].type) return;
    clashes_[a.index()].push_back(b);
    clashes_[b.index()].push_back(a);
  }

  void colour() {
    for (std::uint32_t p = 0; p < graph_.parameter_count; ++p) give(RegisterId(p), new_colour(RegisterId(p)));
    const std::vector<RegisterId> starting = live_[graph_.entry.index()];
    for (const RegisterId reg : starting) choose(reg, true);
    for (const GraphEdge& edge : graph_.edges)
      if (edge.instruction.result) choose(edge.instruction.result, false);
  }

  // A register that starts at 0 cannot share one that starts as an argument.
  void choose(RegisterId reg, bool starts_at_zero) {
    if (colour_[reg.index()]) return;
    poll(context_);
    std::vector<bool> taken(shared_.size());
    for (const RegisterId other : clashes_[reg.index()])
      if (colour_[other.index()]) taken[colour_[other.index()].index()] = true;
    if (starts_at_zero) std::fill_n(taken.begin(), graph_.parameter_count, true);
    const Register& wanted = graph_.registers[reg.index()];
    for (const RegisterId other : copies_[reg.index()]) {
      const RegisterId offered = colour_[other.index()];
      if (offered && !taken[offered.index()] && shared_[offered.index()].type == wanted.type)
        return give(reg, offered);
    }
    RegisterId best;
    for (std::uint32_t c = 0; c < shared_.size(); ++c) {
      if (taken[c] || shared_[c].type != wanted.type) continue;
      if (!best) best = RegisterId(c);
      if (!wanted.name.empty() && shared_[c].name == wanted.name) {
        best = RegisterId(c);
        break;
      }
    }
    give(reg, best ? best : new_colour(reg));
  }

  RegisterId new_colour(RegisterId reg) {
    shared_.push_back(graph_.registers[reg.index()]);
    names_.emplace_back();
    return RegisterId(shared_.size() - 1);
  }

  void give(RegisterId reg, RegisterId shared) {
    colour_[reg.index()] = shared;
    const std::string& name = graph_.registers[reg.index()].name;
    auto& names = names_[shared.index()];
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  // "i", "i/k" where two variables share a register, "%3" where no variable has it.
  std::string name_of(std::size_t shared) const {
    constexpr std::size_t kMostNames = 3;
    const auto& names = names_[shared];
    if (names.empty()) return fmt::format("%{}", shared);
    std::string name = names.front();
    for (std::size_t i = 1; i < names.size() && i < kMostNames; ++i) name += "/" + names[i];
    return names.size() > kMostNames ? name + "/.." : name;
  }

  void rewrite() {
    for (std::size_t i = first_; i < program_.expressions.size(); ++i) {
      Expression& e = program_.expressions[i];
      if (e.op != ExprOp::kRegister) continue;
      const RegisterId shared = colour_[e.reg.index()];
      e = shared ? Expression{.op = e.op, .type = e.type, .reg = shared}
                 : Expression{.type = e.type};  // nobody's
    }
    for (GraphEdge& edge : graph_.edges) {
      Instruction& instruction = edge.instruction;
      if (!instruction.result) continue;
      instruction.result = colour_[instruction.result.index()];
      if (copied(instruction) == instruction.result) instruction = Instruction{.op = Opcode::kNop};
    }
    for (std::size_t i = 0; i < shared_.size(); ++i) shared_[i].name = name_of(i);
    graph_.registers = std::move(shared_);
  }

  Graph& graph_;
  Program& program_;
  std::size_t first_;
  const Context* context_;
  std::vector<std::vector<RegisterId>> live_;     // per node
  std::vector<std::vector<RegisterId>> clashes_;  // per register
  std::vector<std::vector<RegisterId>> copies_;   // per register: those it is copied from or to
  std::vector<RegisterId> colour_;
  std::vector<Register> shared_;
  std::vector<std::vector<std::string>> names_;  // of the variables that share each
};

}  // namespace

void share_registers(Graph& graph, Program& program, std::size_t first, const Context* context) {
  Sharing(graph, program, first, context).run();
}

}  // namespace weir::c
