#include "engine/robust/sections.hpp"

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

}  // namespace

Sections::Sections(const Program& program) {
  const Flow flow(program);
  for (const std::uint8_t places : flow.places()) {
    outside_.push_back((places & kOutside) != 0);
    inside_.push_back((places & ~kOutside) != 0);
  }
}

}  // namespace weir
