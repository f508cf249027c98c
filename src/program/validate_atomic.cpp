// A block is one step of its thread, so wherever it is left or entered must be clear from the text: a
// data-flow analysis per function gives every reachable location one of "outside" and "inside". Functions
// called inside a block may not contain, directly or through further calls, what a block may not contain.
// Linear in the program, but for the transitive closure over calls, which is a fixed point over functions.
#include "program/validate_atomic.hpp"

#include <cstdint>
#include <fmt/format.h>

namespace weir {

namespace {

enum class Side : std::uint8_t { kUnknown, kOutside, kInside };

bool is_forbidden_in_calls(Opcode op) {
  return op == Opcode::kAtomicBegin || op == Opcode::kAtomicEnd || op == Opcode::kLock ||
         op == Opcode::kUnlock || op == Opcode::kStop;
}

// Nothing is executed where such an edge leads.
bool ends_the_way(Opcode op) { return op == Opcode::kReturn || op == Opcode::kStop || op == Opcode::kHalt; }

class AtomicBlocks {
 public:
  explicit AtomicBlocks(const Program& program)
      : program_(program), sides_(program.locations.size()), forbidden_inside_(program.functions.size()) {}

  std::vector<Diagnostic> run() {
    find_forbidden_functions();
    for (const Function& function : program_.functions) follow(function);
    return std::move(diagnostics_);
  }

 private:
  void find_forbidden_functions() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Edge& edge : program_.edges) {
        const auto caller = program_.location(edge.source).function.index();
        const Instruction& i = edge.instruction;
        const bool bad =
            is_forbidden_in_calls(i.op) || (i.op == Opcode::kCall && forbidden_inside_[i.callee.index()]);
        if (!bad || forbidden_inside_[caller]) continue;
        forbidden_inside_[caller] = true;
        changed = true;
      }
    }
  }

  void follow(const Function& function) {
    std::vector<LocationId> open;
    reach(function.entry, Side::kOutside, function.position, open);
    while (!open.empty()) {
      const LocationId location = open.back();
      open.pop_back();
      const Side side = sides_[location.index()];
      if (side == Side::kInside && program_.location(location).edges.empty())
        report(program_.location(location).position, "the thread stops inside an atomic block");
      for (const EdgeId id : program_.location(location).edges) {
        const Edge& edge = program_.edge(id);
        const Side after = side == Side::kInside ? inside(edge) : outside(edge);
        if (!ends_the_way(edge.instruction.op)) reach(edge.target, after, edge.position, open);
      }
    }
  }

  void reach(LocationId location, Side side, SourcePosition from, std::vector<LocationId>& open) {
    Side& known = sides_[location.index()];
    if (known == side) return;
    if (known != Side::kUnknown)
      return report(from, fmt::format("location '{}' is reached both inside and outside an atomic block",
                                      program_.location_name(location)));
    known = side;
    open.push_back(location);
  }

  Side outside(const Edge& edge) {
    if (edge.instruction.op == Opcode::kAtomicBegin) return Side::kInside;
    if (edge.instruction.op == Opcode::kAtomicEnd)
      report(edge.position, "an atomic block ends where none began");
    return Side::kOutside;
  }

  Side inside(const Edge& edge) {
    switch (edge.instruction.op) {
      case Opcode::kAtomicEnd: return Side::kOutside;
      case Opcode::kAtomicBegin: report(edge.position, "an atomic block begins inside another one"); break;
      case Opcode::kReturn: report(edge.position, "a return inside an atomic block"); break;
      case Opcode::kStop: report(edge.position, "the thread stops inside an atomic block"); break;
      case Opcode::kLock:
      case Opcode::kUnlock: report(edge.position, "the global lock is used inside an atomic block"); break;
      case Opcode::kCall:
        if (forbidden_inside_[edge.instruction.callee.index()])
          report(
              edge.position,
              fmt::format(
                  "function '{}', called inside an atomic block, uses atomic blocks or the global lock, or "
                  "stops the thread",
                  program_.function(edge.instruction.callee).name));
        break;
      default: break;
    }
    return Side::kInside;
  }

  void report(SourcePosition position, std::string message) {
    diagnostics_.push_back({Severity::kError, std::move(message), position, ""});
  }

  const Program& program_;
  std::vector<Side> sides_;
  std::vector<bool> forbidden_inside_;  // per function: must not be called inside a block
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::vector<Diagnostic> check_atomic_blocks(const Program& program) { return AtomicBlocks(program).run(); }

}  // namespace weir
