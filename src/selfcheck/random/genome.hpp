// Small programs as plain data that can be generated, shrunk and printed: a genome. Every genome, whatever
// its numbers, describes a well-formed program, because `build` takes variables and registers modulo what
// there is and bends jumps so that they neither enter nor leave an atomic block. What open memory does not
// have does nothing there. So a shrinker may change any number.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace weir::selfcheck {

// `v` is a shared variable, `r` and `s` are registers, `p` is a register for addresses and `q` the other one,
// `k` is a small constant, `n` a number of instructions or of bytes. `a` are three private bytes of the
// thread, behind which is a gap and then two more; `ptr` is a shared cell for addresses.
enum class GeneOp : std::uint8_t {
  kNop,
  kLoad,             // r := v
  kStore,            // v := k
  kStoreRegister,    // v := r
  kStoreRelease,     // v := k, release
  kStoreSequential,  // v := k, sequentially consistent
  kFullFence,
  kStoreFence,
  kLock,             // a nop inside an atomic block
  kUnlock,           // a nop inside an atomic block
  kLocked,           // lock; the next n instructions; unlock. A nop inside another region
  kAtomic,           // atomic { the next n instructions }. A nop inside another region
  kExchange,         // r := v; v := k
  kFetchAdd,         // r := v; v := v + k
  kCompareExchange,  // r := v; if r = s then v := k
  kBranch,           // skips the next n instructions unless r = k
  kLoop,             // goes back by n + 1 instructions if r = k
  kAssign,           // r := k
  kAssignSum,        // r := s + k
  kAssume,           // r = k
  kAssert,           // r != k
  kEither,           // goes on or skips the next n instructions
  kOneOfTwo,         // one of the next two instructions, both offered at one location
  kChoose,           // r := any of 0 to k
  kCall,             // r := a function of s that reads the first variable
  kDivide,           // r := k / s
  kLoadIndirect,     // r := memory[s]
  kStoreIndirect,    // memory[s] := k

  // Private memory.
  kLoadPrivate,       // r := a[s]
  kStorePrivate,      // a[s] := k
  kStorePrivateWide,  // a[s] := k and a[s + 1] := 3 - k, by one store
  kUpdatePrivate,     // r := a[s]; a[s] := r + k
  kFrameAddress,      // p := &a[n]
  kCallSet,           // a function stores 1 at p
  kCallLocal,         // p := the address of a byte of a call that is over

  // Blocks.
  kAllocate,      // p := a new block of n + 1 bytes: on the stack if k = 0, otherwise zeroed if v is odd
  kFree,          // frees p, as a stack block if k = 0
  kLoadBlock,     // r := p[n mod 2]
  kStoreBlock,    // p[n mod 2] := k
  kUpdateBlock,   // r := p[n mod 2]; p[n mod 2] := r + k
  kPublish,       // ptr := p, release if k = 1
  kFetchPointer,  // p := ptr
  kAwaitPointer,  // p := ptr, once that is not 0

  // Values that may be uninitialised.
  kCopyLoad,          // p := v
  kCopyStore,         // v := p
  kCopyLoadBlock,     // p := q[n mod 2]
  kCopyStoreBlock,    // q[n mod 2] := p
  kCopyLoadPrivate,   // p := a[s]
  kCopyStorePrivate,  // a[s] := p

  // The rest of what C programs need.
  kAwait,         // r := v, once that is not k
  kAwaitValue,    // r := v, once that is k
  kHalt,          // ends the execution
  kStop,          // the thread stops; a nop inside an atomic block
  kCallStop,      // a function stops the thread if s = 0; a nop inside an atomic block
  kSelf,          // r := the number of the thread
  kUpdateOther,   // r := v; v := nand, min, max, umin or umax of v and s, by k and n
  kFloat,         // r := s op k in floating point, truncated
  kFloatCompare,  // r := s compared with k / 0
  kFloatBits,     // r := some bits of s op k in floating point
};

inline constexpr int kGeneOps = static_cast<int>(GeneOp::kFloatBits) + 1;

struct InstructionGene {
  GeneOp op = GeneOp::kNop;
  std::uint8_t variable = 0;  // v
  std::uint8_t value = 0;     // k
  std::uint8_t reg = 0;       // r
  std::uint8_t other = 0;     // s
  std::uint8_t distance = 0;  // n
  std::uint8_t plain = 0;     // loads, stores: 1 if it is plain
  std::uint8_t width = 0;     // accesses to bytes: 2 to the power of it

  friend auto operator<=>(const InstructionGene&, const InstructionGene&) = default;
};

// At its end, the thread goes on to its goal location if r = k.
struct GoalGene {
  std::uint8_t reg = 0;
  std::uint8_t value = 0;

  friend auto operator<=>(const GoalGene&, const GoalGene&) = default;
};

struct ThreadGenes {
  std::vector<InstructionGene> code;
  std::optional<GoalGene> goal;
  std::optional<std::uint8_t>
      exclusive;  // before this instruction no other thread with such a mark may be at its own
  bool dormant = false;

  friend auto operator<=>(const ThreadGenes&, const ThreadGenes&) = default;
};

// Never `variable` = value together with `other_variable` (or r0 of the first thread) = other_value.
struct InvariantGene {
  std::uint8_t variable = 0;
  std::uint8_t value = 0;
  std::uint8_t other_variable = 0;
  std::uint8_t other_value = 0;
  bool over_register = false;

  friend auto operator<=>(const InvariantGene&, const InvariantGene&) = default;
};

// Which threads that have a goal make up the goals of the program.
enum class GoalGrouping : std::uint8_t {
  kTogether,    // all: one goal
  kAnyTwo,      // any two of them
  kNeighbours,  // each with the next one
};

struct Genome {
  std::vector<std::uint8_t> initial = {0};  // of each shared variable; variable i has address i
  std::vector<ThreadGenes> threads;
  std::optional<InvariantGene> invariant;
  bool deadlock = false;
  bool open_memory = false;  // then variables and registers have 64 bits, otherwise 2
  bool bytes =
      false;  // then variables have 8 bits, registers 32, and accesses one or several bytes (no open memory)
  bool races = false, leaks = false;
  std::uint8_t constants = 0;      // bit i: variable i is constant
  std::uint8_t uninitialised = 0;  // bit i: variable i has no initial value
  bool interleaved = false;        // the first two variables are one object, around the third one
  GoalGrouping goals = GoalGrouping::kTogether;

  friend auto operator<=>(const Genome&, const Genome&) = default;
};

inline constexpr std::size_t kGenomeRegisters = 2;  // of each thread

// Threads with equal genes run the same function.
Program build(const Genome& genome);

// One instruction a line, for messages.
std::string describe(const Genome& genome);
std::ostream& operator<<(std::ostream& out, const Genome& genome);

}  // namespace weir::selfcheck
