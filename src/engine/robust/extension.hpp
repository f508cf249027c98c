// A program that emulates, under SC, some of the store buffering that TSO allows another program
// [Calin16, Section 3.1; Bouajjani15].
//
// `extend` adds one more way to buffer: along a path of instructions, from a store to a load, the stores go
// to registers, loads look there first, and the stores happen at the end of the path or wherever a thread
// leaves it. The store that begins the path is replaced, so that the same path cannot be found again; what it
// could do otherwise is added back: not being delayed past the next load (with a fence behind it), or leaving
// the path (with the stores still to be delayed further). So the program under TSO has the behaviour it had
// before, and its SC behaviour comes closer to it.
//
// Where this differs from the text: a thread may also stop delaying before an `assume`, not only before a
// load, because an assumption that never holds would otherwise keep the stores invisible for ever; and a
// thread that left the path can go on from there with everything the location offers, because what it left
// the path for may not be possible.
//
// Addresses may be computed. A store of the path that turns out to be to private memory happens at once and leaves its
// place among the delayed ones empty. A delayed store into a block that somebody releases meanwhile fails when it
// happens: the same store, issued only then, fails in the original program.
#pragma once

#include <span>

#include "trace/witness.hpp"

namespace weir {

class ExtendedProgram {
 public:
  // Nothing is emulated yet. `original` must outlive the extended program.
  explicit ExtendedProgram(const Program& original);

  const Program& program() const { return program_; }

  // `path`: the edges of this program from a store to a load, none of which drains the buffer. Says whether
  // it was possible: a path that calls a function, returns from one or releases a block is not.
  bool extend(std::span<const EdgeId> path);

  // For deadlocks and races, which executions of this program may show where the original one has none.
  void stop_looking_for(ViolationKind kind);

  // The TSO execution of the original program that an SC execution of this one emulates.
  Witness original_witness(const Witness& witness) const;

 private:
  // What an edge stands for in the original program.
  struct Role {
    enum class Kind : std::uint8_t {
      kSame,       // the instruction `origin`
      kAddress,    // nothing yet; the value assigned is the address of the next access
      kBuffer,     // the store `origin` enters the buffer; its value is the one assigned
      kEarlyRead,  // the load `origin` returns a buffered value, the one assigned
      kFlush,      // the oldest buffered store goes to memory
      kSilent,     // nothing
    };
    Kind kind = Kind::kSame;
    EdgeId origin;
  };
  struct DelayedStore {
    RegisterId address, value;
    RegisterId held;  // 0 if it went to private memory instead; none if that cannot be
    Instruction instruction;
    SourcePosition position;
  };
  class Extender;
  class Mapper;

  const Program& original_;
  Program program_;
  std::vector<Role> roles_;           // per edge
  std::vector<LocationId> place_of_;  // per location: where the thread is in the original program
  std::size_t extensions_ = 0;
};

}  // namespace weir
