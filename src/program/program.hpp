// The one representation of a concurrent program, which every front end produces and every engine walks.
//
// A program is a set of functions and a list of threads, each of which runs a function. A function is a
// graph: locations, and edges between them that carry one instruction each. Several edges may leave a
// location; which of the executable ones is taken is nondeterministic. A location without edges is where a
// thread stops (in its outermost function). A deterministic branch is two edges with complementary `assume`
// instructions.
//
// Registers and private objects belong to one activation of a function and are invisible to other threads.
// Shared memory is a set of objects made of cells, and the blocks that threads allocate while they run. Cell
// k of an object has address `base + k * stride`. In a program with open memory (the Trencher format) every
// value is an address, and a cell outside the declared objects is a signed 64-bit integer that starts at 0.
// What the addresses of private objects and blocks look like is in address.hpp.
//
// The struct is plain data: front ends build it with the `add_` functions, `validate` says whether it is well
// formed, and after that everybody only reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/source.hpp"
#include "program/value.hpp"

namespace weir {

using ExprId = Id<struct ExprTag>;
using RegisterId = Id<struct RegisterTag>;  // counts within one function
using LocationId = Id<struct LocationTag>;  // counts over the whole program
using EdgeId = Id<struct EdgeTag>;          // counts over the whole program
using FunctionId = Id<struct FunctionTag>;
using ThreadId = Id<struct ThreadTag>;
using ObjectId = Id<struct ObjectTag>;

// Expressions. Evaluation has no side effect. Results wrap around at the width of `Expression::type`.
// Division and remainder by zero stop the evaluation: the instruction fails (see `Opcode::kAssert`).
// Shifts take their amount as an unsigned number; an amount of at least the width shifts everything out.
// && || and select evaluate only what C would evaluate. Truth is being non-zero; comparisons and logical
// operators give 0 or 1, wrapped to `type` (so a true signed 1-bit value is -1).
enum class ExprOp : std::uint8_t {
  kConstant,    // `constant`
  kRegister,    // `reg` of the current function
  kNegate,      // - a
  kBitNot,      // ~ a
  kLogicalNot,  // ! a
  kCast,        // a, converted to `type`
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShl,
  kShr,  // a op b; both of type `type`
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,  // a op b, compared in the type of a, which is that of b
  kLogicalAnd,
  kLogicalOr,  // a op b
  kSelect,     // a ? b : c; b and c of type `type`
  // Floating point. Values are the bits of an IEEE number of 32 or 64 bits, in an unsigned type.
  kFloatAdd,
  kFloatSub,
  kFloatMul,
  kFloatDiv,
  kFloatRem,  // a op b; both of type `type`. Rounds to nearest; kFloatRem is fmod
  kFloatEq,
  kFloatLt,
  kFloatLe,         // a op b; 0 if one of them is no number
  kFloatUnordered,  // is a or b no number?
  kFloatToInt,  // a, truncated to `type`; the least value of a signed 64-bit integer, wrapped, if it has none
  kIntToFloat,  // a, rounded
  kFloatToFloat,  // a, rounded or widened
  // The thread itself:
  kSelf,   // the number of the thread in `Program::threads`
  kFrame,  // the address of byte `constant` of the private memory of this activation
  // Only in invariants, which speak about a whole state:
  kSharedCell,      // what shared memory holds at address `constant`
  kThreadRegister,  // register `reg` of thread `thread`, in its outermost activation
};

struct Expression {
  ExprOp op = ExprOp::kConstant;
  Type type = kInt64;
  ExprId a, b, c;
  Value constant = 0;
  RegisterId reg;
  ThreadId thread;
};

// How strongly an access is ordered; the weakest is a plain machine access. What a machine does anyway (all
// but kSequential) matters to data races, by the happens-before relation of C and C++: see
// trace/data_race.hpp.
enum class Order : std::uint8_t { kRelaxed, kAcquire, kRelease, kAcquireRelease, kSequential };

enum class RmwOp : std::uint8_t {
  kExchange,
  kAdd,
  kSub,
  kBitAnd,
  kBitOr,
  kBitXor,
  kCompareExchange,
  kBitNand,
  kMin,
  kMax,  // of signed numbers, whatever the cell's type
  kUnsignedMin,
  kUnsignedMax,
};

enum class FenceKind : std::uint8_t {
  kFull,        // executable only when the thread's buffer is empty
  kStoreStore,  // keeps earlier stores before later ones; matters under PSO only
};

// Where a block allocated at run time comes from.
enum class BlockKind : std::uint8_t {
  kHeap,     // its cells start uninitialised
  kZeroed,   // its cells start at 0
  kStack,    // uninitialised, and released when its function returns
  kAligned,  // as kHeap, but its address is a multiple of 4096
  kObject,   // as kHeap, but released by its like only: C++'s new and delete
  kArray,    // the same: new[] and delete[]
};
inline constexpr BlockKind kLastBlockKind = BlockKind::kArray;

enum class Opcode : std::uint8_t {
  kNop,          // with an order: a fence of C or C++ that no machine needs
  kAssign,       // result := a
  kAssume,       // executable only if a is non-zero
  kAssert,       // a violation if a is zero
  kLoad,         // result := memory[a]; with `waits`, executable only when that is not c (`until`: is c)
  kStore,        // memory[a] := b
  kRmw,          // result := memory[a]; memory[a] := rmw(result, b), atomically, with an empty buffer.
                 // Compare-exchange stores b only if the old value equals c. `result` may be none.
  kFence,        // see FenceKind
  kLock,         // needs an empty buffer and the free global lock; takes it
  kUnlock,       // needs an empty buffer and the global lock; gives it back
  kAtomicBegin,  // starts a block that executes as one step: with an empty buffer, straight on memory, only
  kAtomicEnd,    // if it can run to its end, and only while no other thread holds the lock. They do not nest.
  kChoose,       // result := any value from low to high
  kCall,         // result := callee(arguments); `result` may be none
  kReturn,       // leaves the function with value a (may be none); the thread stops in its outermost function
  kStop,         // the thread stops, inside calls too, as if its outermost function returned
  kAllocate,     // result := address of a new block of a bytes
  kFree,         // the block at address a is released (or `renews`); nothing if a is 0
  kHalt,         // ends the whole execution. With a message, what would follow was left out for that reason
};

struct Instruction {
  Opcode op = Opcode::kNop;
  Order order = Order::kRelaxed;    // store_store fence: how the source orders; a full fence is sequential
  Order failing = Order::kRelaxed;  // compare-exchange that does not store
  RmwOp rmw = RmwOp::kExchange;
  FenceKind fence = FenceKind::kFull;
  BlockKind block = BlockKind::kHeap;  // allocate; free: which blocks it releases (program/address.hpp)
  bool waits = false;                  // load; halt: because an assumption does not hold; choose: not to wait
  bool until = false;                  // load that waits: for the value c, and not for any other than c
  bool plain = false;   // load, store: not atomic in the source, so a conflict with it is a data race
  bool copies = false;  // load, store: moves a value as it is, even if it is uninitialised
  bool renews = false;  // free of a stack block: it was released, and is there again with nothing in it
  Type type = kInt64;   // of the cell accessed: load, store, rmw
  RegisterId result;
  ExprId a, b, c;
  Value low = 0, high = 0;
  FunctionId callee;
  std::vector<ExprId> arguments;
  std::string
      message;  // assert: what to say when it fails; halt: what was left out; for reports: atomic_begin:
                // what the block does ("locks m"); allocate: which variable it is; choose: what 1 means
};

struct Edge {
  LocationId source, target;  // `target` of a return is ignored; front ends set it to `source`
  Instruction instruction;
  SourcePosition position;
};

struct Location {
  FunctionId function;
  std::string label;  // as the user wrote it; may be empty
  std::vector<EdgeId> edges;
  SourcePosition position;
};

struct Register {
  std::string name;
  Type type = kInt64;
  Value initial = 0;  // parameters get their arguments instead
};

// Bytes that each activation of a function has for itself. Its threads address them, other threads cannot.
struct PrivateObject {
  std::string name;
  std::uint64_t offset = 0;  // in the private memory of the activation
  std::uint64_t size = 0;    // in bytes
};

struct Function {
  std::string name;
  std::vector<Register> registers;      // parameters first
  std::vector<PrivateObject> privates;  // by offset, not overlapping
  std::uint32_t parameter_count = 0;
  LocationId entry;
  SourcePosition position;
  std::uint32_t copies = 1;  // how often this code stands in the source: a change must be made in each
};

struct Thread {
  std::string name;
  FunctionId function;
  std::vector<Value> arguments;
  SourcePosition position;
  bool dormant = false;  // waits at its entry to be given work; as long as it does, it counts as stopped
  bool single = false;   // no template: there is exactly one, however many copies of the others are asked for
};

struct SharedObject {
  std::string name;
  Value base = 0;
  Type type = kInt64;
  std::vector<Value> initial;  // one per cell; `kUninitialised` is possible
  SourcePosition position;
  Value stride = 1;       // from the address of one cell to that of the next
  bool constant = false;  // cannot be written; loads of it are local to the thread
};

// A thread at a location of its outermost function.
struct ThreadLocation {
  ThreadId thread;
  LocationId location;

  friend bool operator==(const ThreadLocation&, const ThreadLocation&) = default;
};

struct Invariant {
  ExprId expression;  // must be non-zero in every reachable state
  std::string text;   // as the user wrote it
  SourcePosition position;
};

// What must not happen, besides failing assertions.
struct Properties {
  // Bad: for one of the goals, every thread named in it is at one of its locations. A goal names a thread.
  std::vector<std::vector<ThreadLocation>> goals;
  std::vector<std::vector<ThreadLocation>> exclusive;  // bad: two threads are at locations of one list
  std::vector<Invariant> invariants;                   // bad: one of them is false
  bool deadlock = false;  // bad: no step is possible and a thread has not stopped
  // Bad: a thread that has not stopped can never go on again, though others can, and the program never ends.
  bool partial_deadlock = false;
  bool races = false;  // bad: two conflicting accesses, one of which is plain, neither of which happens
                       // before the other
  bool leaks = false;  // bad: all threads have stopped and a block was not released
};

struct Program {
  std::string name;
  SourceMap sources;
  std::vector<Expression> expressions;
  std::vector<Function> functions;
  std::vector<Location> locations;
  std::vector<Edge> edges;
  std::vector<Thread> threads;
  std::vector<SharedObject> objects;
  bool open_memory = false;
  // Objects are laid out in bytes, as in C. An access that hits a part of a cell, or more than one, is then
  // no mistake of the program, but beyond what is modelled: engines give no verdict.
  bool byte_memory = false;
  Properties properties;
  // What the program leaves out of what the user wrote, each as a phrase ("__VERIFIER_nondet_int() gives 0 to
  // 3 only"). A program with restrictions is never said to be safe.
  std::vector<std::string> restrictions;
  // What happens only if something fails that hardly ever does is left out as well, but not held against the
  // answer: what is taken for granted ("malloc() finds memory"), for reports.
  std::vector<std::string> assumptions;

  const Expression& expression(ExprId id) const { return expressions[id.index()]; }
  const Function& function(FunctionId id) const { return functions[id.index()]; }
  const Location& location(LocationId id) const { return locations[id.index()]; }
  const Edge& edge(EdgeId id) const { return edges[id.index()]; }
  const Thread& thread(ThreadId id) const { return threads[id.index()]; }
  const SharedObject& object(ObjectId id) const { return objects[id.index()]; }

  // Building.
  ExprId add_expression(Expression expression);
  ExprId constant(Value value, Type type = kInt64);
  ExprId register_value(RegisterId reg, Type type = kInt64);
  ExprId unary(ExprOp op, ExprId a, Type type = kInt64);
  ExprId binary(ExprOp op, ExprId a, ExprId b, Type type = kInt64);
  FunctionId add_function(std::string name, SourcePosition position = {});
  RegisterId add_register(FunctionId function, std::string name, Type type = kInt64, Value initial = 0);
  LocationId add_location(FunctionId function, std::string label = {}, SourcePosition position = {});
  EdgeId add_edge(LocationId source, LocationId target, Instruction instruction,
                  SourcePosition position = {});
  ThreadId add_thread(std::string name, FunctionId function, SourcePosition position = {});

  // Looking up. Linear; for front ends and reports, not for engines.
  std::optional<ThreadId> find_thread(std::string_view name) const;
  std::optional<LocationId> find_label(FunctionId function, std::string_view label) const;
  std::optional<RegisterId> find_register(FunctionId function, std::string_view name) const;
  std::optional<ObjectId> find_object(std::string_view name) const;
  std::optional<ObjectId> object_at(Value address) const;

  // "x", "flag[1]", or "[7]" for an address without a name.
  std::string address_name(Value address) const;
  // The label, or something readable where there is none: "L12".
  std::string location_name(LocationId id) const;
};

}  // namespace weir
