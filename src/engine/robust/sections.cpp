#include "engine/robust/sections.hpp"

#include <algorithm>
#include <set>

namespace weir {

namespace {

enum Place : std::uint8_t { kOutside = 1, kLocked = 2, kBlock = 4, kBlockLocked = 8 };

// Where the thread is after the instruction; 0 if it cannot be executed there.
std::uint8_t after(Opcode op, std::uint8_t place) {
  const bool locked = place == kLocked || place == kBlockLocked;
  const bool block = place == kBlock || place == kBlockLocked;
  switch (op) {
    case Opcode::kLock: return place == kOutside ? kLocked : 0;
    case Opcode::kUnlock: return place == kLocked ? kOutside : 0;
    case Opcode::kAtomicBegin: return block ? 0 : locked ? kBlockLocked : kBlock;
    case Opcode::kAtomicEnd: return !block ? 0 : locked ? kLocked : kOutside;
    default: return place;
  }
}

// A forward data-flow analysis over locations and the places a thread may be in there.
class Flow {
 public:
  explicit Flow(const Program& program) : program_(program), places_(program.locations.size()) {
    callers_.resize(program.functions.size());
    for (const Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kCall)
        callers_[edge.instruction.callee.index()].push_back(edge.target);
    for (const Thread& thread : program.threads) arrive(program.function(thread.function).entry, kOutside);
    while (!open_.empty()) {
      const auto [at, place] = open_.back();
      open_.pop_back();
      for (const EdgeId edge : program.location(at).edges) take(program.edge(edge), place);
    }
  }

  const std::vector<std::uint8_t>& places() const { return places_; }

 private:
  void arrive(LocationId at, std::uint8_t place) {
    if ((places_[at.index()] & place) != 0) return;
    places_[at.index()] |= place;
    open_.emplace_back(at, place);
  }

  void take(const Edge& edge, std::uint8_t place) {
    const std::uint8_t next = after(edge.instruction.op, place);
    if (next == 0) return;
    switch (edge.instruction.op) {
      case Opcode::kCall: return arrive(program_.function(edge.instruction.callee).entry, next);
      case Opcode::kReturn:
        for (const LocationId target : callers_[program_.location(edge.source).function.index()])
          arrive(target, next);
        return;
      default: return arrive(edge.target, next);
    }
  }

  const Program& program_;
  std::vector<std::uint8_t> places_;
  std::vector<std::vector<LocationId>> callers_;
  std::vector<std::pair<LocationId, std::uint8_t>> open_;
};

// What a section does from a place on that it begins at.
class Section {
 public:
  Section(const Program& program, const Sections& sections, LocationId begin)
      : program_(program), sections_(sections), seen_(program.locations.size()) {
    visit(begin);
    while (!open_.empty()) {
      const LocationId at = open_.back();
      open_.pop_back();
      branches_ = branches_ || program_.location(at).edges.size() > 1;
      for (const EdgeId id : program_.location(at).edges) take(program_.edge(id));
    }
  }

  // Not if it is about a single address: then it is like a compare-and-exchange, of which the theorem speaks.
  bool depends_on_what_it_reads() const { return branches_ && !(addresses_.size() <= 1 && fixed_); }

 private:
  void visit(LocationId at) {
    if (seen_[at.index()] || !sections_.may_be_inside(at)) return;
    seen_[at.index()] = true;
    open_.push_back(at);
  }

  void take(const Edge& edge) {
    const Instruction& instruction = edge.instruction;
    switch (instruction.op) {
      case Opcode::kLoad:
      case Opcode::kStore:
      case Opcode::kRmw: {
        const Expression& address = program_.expression(instruction.a);
        if (address.op == ExprOp::kConstant)
          addresses_.insert(address.constant);
        else
          fixed_ = false;
        branches_ = branches_ || instruction.waits || address.op != ExprOp::kConstant;
        break;
      }
      case Opcode::kAssume: branches_ = true; break;
      case Opcode::kCall:
      case Opcode::kReturn:  // what it does elsewhere is not followed
        fixed_ = false;
        branches_ = true;
        return;
      default: break;
    }
    visit(edge.target);
  }

  const Program& program_;
  const Sections& sections_;
  std::vector<bool> seen_;
  std::vector<LocationId> open_;
  std::set<Value> addresses_;
  bool fixed_ = true;      // all addresses are constants
  bool branches_ = false;  // what it does next may depend on something
};

}  // namespace

Sections::Sections(const Program& program) {
  const Flow flow(program);
  for (const std::uint8_t places : flow.places()) {
    outside_.push_back((places & kOutside) != 0);
    inside_.push_back((places & ~kOutside) != 0);
  }
}

bool has_conditional_section(const Program& program) {
  const Sections sections(program);
  for (const Edge& edge : program.edges)
    if ((edge.instruction.op == Opcode::kLock || edge.instruction.op == Opcode::kAtomicBegin) &&
        Section(program, sections, edge.target).depends_on_what_it_reads())
      return true;
  return false;
}

}  // namespace weir
