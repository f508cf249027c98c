// The instrumentation of [Bouajjani13, Section 5], Figures 5 and 7. Each thread gets copies of the functions
// it runs; the attacker's delay, the helpers' bookkeep. Three auxiliary cells belong to each address: the
// delayed value and whether there is one, the paper's (a, d), and the strongest access on the happens-before
// path, its (a, hb). Where it differs:
// - Which copy a thread is in is not control but a cell, the thread's *mode*, so that calls need no care.
// - One original step stays one step: it becomes an atomic block, with what the paper does in several.
// - Lock sections and atomic blocks are one event each. A helper may open one off the path, on trial; the
// marks
//   it leaves meanwhile are *soft*: they name their owner and keep the level from before, against which the
//   section's later accesses are compared. A helper is on trial at most once, so owners never mix up.
// - Reaching the delayed store's address fails an assertion; in a section it is noted (`hit`) until the end.
// Linear in the size of the program times the number of threads.
#include "engine/robust/instrument.hpp"

#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "engine/robust/instrument_phrases.hpp"
#include "program/ordering.hpp"
#include "program/validate.hpp"

namespace weir {

namespace {

// Access levels, as in Figure 7: 0 none, then these. Greater values are soft marks.
constexpr Value kLoaded = 1;
constexpr Value kStored = 2;
constexpr Value kFirstSoft = 3;  // + 9 * owner + 3 * the level before the section + the level in it

// Modes of the attacker.
constexpr Value kDelaying = 1;
constexpr Value kAttackerLocked = 2;

// Modes of helpers, as bits. They are kept only from the attack's load on.
constexpr Value kOnPath = 1;
constexpr Value kInLock = 2;
constexpr Value kBlockMode = 4;  // outside lock sections

class Instrumentation {
 public:
  Instrumentation(const Program& program, const Attack& attack, const Layout& layout);
  Program run();

 private:
  struct Scratch {
    RegisterId address, phase, mode, level, written, joined, other;
  };
  // A function as one thread executes it, outside or inside an atomic block.
  struct Copy {
    ThreadId thread;
    FunctionId original;
    bool called_in_block;
    FunctionId function;
    Scratch scratch;
    std::map<LocationId, LocationId> locations;
    std::vector<std::pair<LocationId, bool>> open;  // original locations, and whether in a block
  };
  // An original edge on its way: where the copy goes, in which function, whether in a block.
  struct Passage {
    const Instruction& instruction;
    EdgeId edge;
    Copy& copy;
    LocationId target;
    bool in_block;

    const Scratch& scratch() const { return copy.scratch; }
  };

  void add_auxiliary_objects();
  void add_object(std::string name, Value base, std::vector<Value> initial);
  FunctionId copy_of(ThreadId thread, FunctionId original, bool called_in_block);
  LocationId arrive(Copy& copy, LocationId original, bool in_block);
  void copy_function(Copy& copy);
  void copy_edge(Copy& copy, EdgeId id, bool in_block);
  void copy_local(Route route, const Passage& passage);

  void attack_edge(Route route, const Passage& passage);
  void attack_load(Route route, const Passage& passage);
  void end_attack(Route route, const Passage& passage, ExprId address);
  void attack_store(Route route, const Passage& passage);
  void keep(Route& route, const Passage& passage, ExprId address);
  void attack_drain(Route route, const Passage& passage);
  void attack_section(Route route, const Passage& passage);

  void help_edge(Route route, const Passage& passage);
  void help_access(Route route, const Passage& passage);
  void stay_on_path(Route route, const Passage& passage, ExprId address, ExprId written);
  void note_access(Route& route, const Passage& passage, ExprId address, ExprId written);
  void reach_target(Route route, const Passage& passage, ExprId address);
  void open_lock(Route route, const Passage& passage);
  void close_lock(Route route, const Passage& passage);
  void open_block(Route route, const Passage& passage);
  void close_block(Route route, const Passage& passage);
  void leave_section(Route& route, const Passage& passage);

  // Levels of accesses, from what a level cell holds.
  ExprId effective_level(ExprId cell);
  ExprId level_before_section(ExprId cell, ThreadId self);
  ExprId soft_mark(ExprId cell, ThreadId self, ExprId mark);
  ExprId soft_part(ExprId cell, Value divisor) {
    return say_.op(ExprOp::kRem, say_.op(ExprOp::kDiv, say_.op(ExprOp::kSub, cell, kFirstSoft), divisor), 3);
  }
  ExprId owned(ExprId cell, ThreadId self);

  ExprId take_address(Route& route, const Passage& passage);
  void guard(Route& route, ExprId condition);

  void begin(Route& route, const Passage& passage) {
    if (!passage.in_block) route.then({.op = Opcode::kAtomicBegin});
  }
  void finish(Route route, const Passage& passage) {
    route.to(passage.target, {.op = passage.in_block ? Opcode::kNop : Opcode::kAtomicEnd});
  }
  ExprId cell_of(ExprId address, Value offset);
  ExprId mode_cell(const Passage& passage) { return say_.number(layout_.mode(passage.copy.thread)); }
  std::string unused_name(std::string wanted);

  const Program& program_;
  const Attack& attack_;
  const Layout& layout_;
  bool sections_ = false;  // are there lock sections or atomic blocks?
  Program result_;
  Phrases say_;
  Conditions conditions_;
  std::set<std::string> names_;  // of objects and functions
  std::map<std::tuple<ThreadId, FunctionId, bool>, std::size_t> known_copies_;
  std::vector<Copy> copies_;
};

// The original's expressions keep their numbers, and registers theirs within a function, so that instructions
// can be copied as they are.
Instrumentation::Instrumentation(const Program& program, const Attack& attack, const Layout& layout)
    : program_(program), attack_(attack), layout_(layout), say_(result_), conditions_(program, result_) {
  result_.name = program.name;
  result_.sources = program.sources;
  result_.expressions = program.expressions;
  result_.objects = program.objects;
  result_.open_memory = program.open_memory;
  for (const SharedObject& object : program.objects) names_.insert(object.name);
  for (const Edge& edge : program.edges) {
    const Opcode op = edge.instruction.op;
    sections_ = sections_ || op == Opcode::kLock || op == Opcode::kAtomicBegin;
  }
}

Program Instrumentation::run() {
  add_auxiliary_objects();
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    Thread thread = program_.threads[t];
    thread.function = copy_of(ThreadId(t), thread.function, false);
    result_.threads.push_back(std::move(thread));
  }
  for (std::size_t i = 0; i < copies_.size(); ++i) {  // grows
    Copy copy = std::move(copies_[i]);  // the list moves while it grows; the function stays readable there
    copy_function(copy);
  }
  return std::move(result_);
}

// In open memory the cells that belong to addresses need no declaration.
void Instrumentation::add_auxiliary_objects() {
  if (!program_.open_memory)
    for (const SharedObject& object : program_.objects) {
      const std::vector<Value> zeros(object.initial.size(), 0);
      add_object(object.name + ".value", object.base + layout_.value_offset, zeros);
      add_object(object.name + ".delayed", object.base + layout_.delayed_offset, zeros);
      add_object(object.name + ".level", object.base + layout_.level_offset, zeros);
    }
  add_object("attack.phase", layout_.phase(), {0});
  add_object("attack.target", layout_.target(), {0});
  add_object("attack.hit", layout_.hit(), {0});
  for (std::size_t t = 0; t < program_.threads.size(); ++t)
    add_object(program_.threads[t].name + ".mode", layout_.mode(ThreadId(t)), {0});
}

void Instrumentation::add_object(std::string name, Value base, std::vector<Value> initial) {
  result_.objects.push_back(
      {.name = unused_name(std::move(name)), .base = base, .initial = std::move(initial)});
}

std::string Instrumentation::unused_name(std::string wanted) {
  while (!names_.insert(wanted).second) wanted += '\'';
  return wanted;
}

// Copies of the control flow.

FunctionId Instrumentation::copy_of(ThreadId thread, FunctionId original, bool called_in_block) {
  const auto [known, added] = known_copies_.try_emplace({thread, original, called_in_block}, copies_.size());
  if (!added) return copies_[known->second].function;
  const Function& function = program_.function(original);
  const FunctionId copy =
      result_.add_function(unused_name(fmt::format("{}.{}{}", program_.thread(thread).name, function.name,
                                                   called_in_block ? ".block" : "")),
                           function.position);
  result_.functions.back().registers = function.registers;
  result_.functions.back().parameter_count = function.parameter_count;
  std::set<std::string> taken;
  for (const Register& reg : function.registers) taken.insert(reg.name);
  const auto scratch = [&](std::string name) {
    while (!taken.insert(name).second) name += '\'';
    return result_.add_register(copy, name);
  };
  copies_.push_back({.thread = thread,
                     .original = original,
                     .called_in_block = called_in_block,
                     .function = copy,
                     .scratch = {.address = scratch("address"),
                                 .phase = scratch("phase"),
                                 .mode = scratch("mode"),
                                 .level = scratch("level"),
                                 .written = scratch("written"),
                                 .joined = scratch("joined"),
                                 .other = scratch("other")}});
  return copy;
}

LocationId Instrumentation::arrive(Copy& copy, LocationId original, bool in_block) {
  const auto [known, added] = copy.locations.try_emplace(original);
  if (!added) return known->second;
  const Location& location = program_.location(original);
  copy.open.emplace_back(original, in_block);
  return known->second = result_.add_location(copy.function, location.label, location.position);
}

void Instrumentation::copy_function(Copy& copy) {
  const LocationId entry = arrive(copy, program_.function(copy.original).entry, copy.called_in_block);
  result_.functions[copy.function.index()].entry = entry;
  while (!copy.open.empty()) {
    const auto [location, in_block] = copy.open.back();
    copy.open.pop_back();
    for (const EdgeId edge : program_.location(location).edges) copy_edge(copy, edge, in_block);
  }
}

void Instrumentation::copy_edge(Copy& copy, EdgeId id, bool in_block) {
  const Edge& edge = program_.edge(id);
  const Opcode op = edge.instruction.op;
  const LocationId source = copy.locations.at(edge.source);
  const bool in_block_after = (in_block || op == Opcode::kAtomicBegin) && op != Opcode::kAtomicEnd;
  const LocationId target = op == Opcode::kReturn ? source : arrive(copy, edge.target, in_block_after);
  const Passage passage{edge.instruction, id, copy, target, in_block};
  const Route route(result_, source, edge.position);
  if (copy.thread == attack_.thread) {
    attack_edge(route, passage);
  } else {
    help_edge(route, passage);
  }
}

// What touches neither memory nor the buffer.
void Instrumentation::copy_local(Route route, const Passage& passage) {
  Instruction instruction = passage.instruction;
  guard(route, conditions_.operands_defined(instruction));
  if (instruction.op == Opcode::kAssert) instruction = Phrases::assume(instruction.a);
  if (instruction.op == Opcode::kReturn) return route.to(route.here(), std::move(instruction));
  if (instruction.op == Opcode::kCall)
    instruction.callee = copy_of(passage.copy.thread, instruction.callee, passage.in_block);
  route.to(passage.target, std::move(instruction));
}

// The attacker: Figure 5.

void Instrumentation::attack_edge(Route route, const Passage& passage) {
  const Instruction& instruction = passage.instruction;
  switch (instruction.op) {
    case Opcode::kLoad: return attack_load(route, passage);
    case Opcode::kStore:
      return waits_for_empty_buffer(instruction.order) ? attack_drain(route, passage)
                                                       : attack_store(route, passage);
    case Opcode::kRmw: return attack_drain(route, passage);
    case Opcode::kFence:
      return waits_for_empty_buffer(instruction.fence) ? attack_drain(route, passage)
                                                       : route.to(passage.target, instruction);
    case Opcode::kLock:
    case Opcode::kUnlock:
    case Opcode::kAtomicBegin: return attack_section(route, passage);
    case Opcode::kAtomicEnd: return route.to(passage.target, instruction);
    default: return copy_local(route, passage);
  }
}

// Equation (4): the newest value that is delayed, otherwise memory.
void Instrumentation::attack_load(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  begin(route, passage);
  const ExprId address = take_address(route, passage);
  if (passage.in_block) return route.to(passage.target, passage.instruction);
  route.then(Phrases::load(scratch.other, cell_of(address, layout_.delayed_offset)));
  const ExprId is_delayed = say_.value(scratch.other);
  finish(Route(route).then(Phrases::assume(say_.is(is_delayed, 0))).then(passage.instruction), passage);
  if (passage.edge == attack_.load) end_attack(route, passage, address);
  route.then(Phrases::assume(say_.is_not(is_delayed, 0)))
      .then(Phrases::load(scratch.other, cell_of(address, layout_.value_offset)))
      .then(Phrases::assign(passage.instruction.result,
                            say_.cast(say_.value(scratch.other), passage.instruction.type)));
  finish(route, passage);
}

// Equation (2): the load of the attack, which must not read early. The attacker is done.
void Instrumentation::end_attack(Route route, const Passage& passage, ExprId address) {
  const Scratch& scratch = passage.scratch();
  route.then(Phrases::assume(say_.is(say_.value(scratch.other), 0)))
      .then(Phrases::load(scratch.mode, mode_cell(passage)))
      .then(Phrases::assume(say_.is(say_.value(scratch.mode), kDelaying)))
      .then(Phrases::store(cell_of(address, layout_.level_offset), say_.number(kLoaded)))
      .then(say_.store(layout_.phase(), 1))
      .then({.op = Opcode::kAtomicEnd});
}

// Equations (1) and (3): a store goes to memory, or starts the delay, or is delayed as well.
void Instrumentation::attack_store(Route route, const Passage& passage) {
  begin(route, passage);
  const ExprId address = take_address(route, passage);
  if (passage.in_block) return route.to(passage.target, passage.instruction);
  route.then(Phrases::load(passage.scratch().mode, mode_cell(passage)));
  const ExprId mode = say_.value(passage.scratch().mode);
  finish(Route(route).then(Phrases::assume(say_.is_not(mode, kDelaying))).then(passage.instruction), passage);
  if (passage.edge == attack_.store) {
    Route first(route);
    first.then(Phrases::assume(say_.is(mode, 0)));
    keep(first, passage, address);
    first.then(Phrases::store(say_.number(layout_.target()), address))
        .then(Phrases::store(mode_cell(passage), say_.number(kDelaying)));
    finish(first, passage);
  }
  route.then(Phrases::assume(say_.is(mode, kDelaying)));
  keep(route, passage, address);
  finish(route, passage);
}

void Instrumentation::keep(Route& route, const Passage& passage, ExprId address) {
  const ExprId value = say_.cast(passage.instruction.b, passage.instruction.type);
  route.then(Phrases::store(cell_of(address, layout_.value_offset), value))
      .then(Phrases::store(cell_of(address, layout_.delayed_offset), say_.number(1)));
}

// Equation (6), for everything that needs an empty buffer.
void Instrumentation::attack_drain(Route route, const Passage& passage) {
  begin(route, passage);
  if (!passage.in_block)
    route.then(Phrases::load(passage.scratch().mode, mode_cell(passage)))
        .then(Phrases::assume(say_.is_not(say_.value(passage.scratch().mode), kDelaying)));
  if (accesses_memory(passage.instruction.op)) take_address(route, passage);
  finish(route.then(passage.instruction), passage);
}

// Blocks contain no `lock`, so the mode is asked before and set after; nobody else looks at it.
void Instrumentation::attack_section(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  const ExprId mode = say_.value(scratch.mode);
  const auto set_mode = [&](Value value) { return Phrases::store(mode_cell(passage), say_.number(value)); };
  if (passage.instruction.op == Opcode::kAtomicBegin) route.then(passage.instruction);
  route.then(Phrases::load(scratch.mode, mode_cell(passage)));
  switch (passage.instruction.op) {
    case Opcode::kAtomicBegin: return route.to(passage.target, Phrases::assume(say_.is_not(mode, kDelaying)));
    case Opcode::kLock:
      return route.then(Phrases::assume(say_.is_not(mode, kDelaying)))
          .then(passage.instruction)
          .to(passage.target, set_mode(kAttackerLocked));
    default:
      return route.then(Phrases::assume(say_.is(mode, kAttackerLocked)))
          .then(set_mode(0))
          .to(passage.target, passage.instruction);
  }
}

// Helpers: Figure 7.

void Instrumentation::help_edge(Route route, const Passage& passage) {
  switch (passage.instruction.op) {
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw: return help_access(route, passage);
    case Opcode::kLock: return open_lock(route, passage);
    case Opcode::kUnlock: return close_lock(route, passage);
    case Opcode::kAtomicBegin: return open_block(route, passage);
    case Opcode::kAtomicEnd: return close_block(route, passage);
    default: return copy_local(route, passage);
  }
}

// The access itself, and from the attack's load on what it means for the path.
void Instrumentation::help_access(Route route, const Passage& passage) {
  const Instruction& instruction = passage.instruction;
  const Scratch& scratch = passage.scratch();
  begin(route, passage);
  const ExprId address = take_address(route, passage);
  ExprId written = say_.number(instruction.op == Opcode::kLoad ? 0 : 1);
  if (instruction.op == Opcode::kRmw && instruction.rmw == RmwOp::kCompareExchange) {
    route.then(
        {.op = Opcode::kLoad, .type = instruction.type, .result = scratch.written, .a = instruction.a});
    const ExprId old = say_.cast(say_.value(scratch.written), instruction.type);
    const ExprId succeeds = say_.op(ExprOp::kEq, old, say_.cast(instruction.c, instruction.type));
    route.then(Phrases::assign(scratch.written, succeeds));
    written = say_.value(scratch.written);
  }
  route.then(instruction).then(say_.load(scratch.phase, layout_.phase()));
  const ExprId phase = say_.value(scratch.phase);
  finish(Route(route).then(Phrases::assume(say_.is(phase, 0))), passage);
  stay_on_path(route.then(Phrases::assume(say_.is_not(phase, 0))), passage, address, written);
}

// Equations (8), (9), (11), (12): an access joins the path or is on it, and raises its address's level. In a
// section it may also be neither, for the time being.
void Instrumentation::stay_on_path(Route route, const Passage& passage, ExprId address, ExprId written) {
  const Scratch& scratch = passage.scratch();
  route.then(Phrases::load(scratch.mode, mode_cell(passage)))
      .then(Phrases::load(scratch.level, cell_of(address, layout_.level_offset)));
  const ExprId mode = say_.value(scratch.mode), level = say_.value(scratch.level);
  const ExprId needed = say_.op(ExprOp::kSub, say_.number(kStored), written);
  const ExprId met = level_before_section(level, passage.copy.thread);
  route.then(Phrases::assign(scratch.joined, say_.either(say_.op(ExprOp::kBitAnd, mode, kOnPath),
                                                         say_.op(ExprOp::kGe, met, needed))));
  const ExprId joined = say_.value(scratch.joined);
  route.then(Phrases::assume(sections_ ? say_.either(joined, say_.op(ExprOp::kGt, mode, kOnPath)) : joined))
      .then(Phrases::store(mode_cell(passage), say_.op(ExprOp::kBitOr, mode, joined)));
  note_access(route, passage, address, written);
  reach_target(route, passage, address);
}

void Instrumentation::note_access(Route& route, const Passage& passage, ExprId address, ExprId written) {
  const ExprId level = say_.value(passage.scratch().level);
  const ExprId mark = say_.op(ExprOp::kAdd, written, kLoaded);
  ExprId after = say_.greater(effective_level(level), mark);
  if (sections_)
    after =
        say_.select(say_.value(passage.scratch().joined), after, soft_mark(level, passage.copy.thread, mark));
  route.then(Phrases::store(cell_of(address, layout_.level_offset), after));
}

// Equation (13), right behind the access instead of at every label.
void Instrumentation::reach_target(Route route, const Passage& passage, ExprId address) {
  const Scratch& scratch = passage.scratch();
  route.then(say_.load(scratch.other, layout_.target()));
  const ExprId target = say_.value(scratch.other), mode = say_.value(scratch.mode);
  const ExprId missed = say_.op(ExprOp::kNe, address, target);
  Route outside(route);
  if (sections_) {
    const ExprId in_section = say_.op(ExprOp::kGt, mode, kOnPath);
    finish(Route(route)
               .then(Phrases::assume(say_.both(in_section, say_.op(ExprOp::kEq, address, target))))
               .then(say_.store(layout_.hit(), 1)),
           passage);
    finish(Route(route).then(Phrases::assume(say_.both(in_section, missed))), passage);
    outside.then(Phrases::assume(say_.op(ExprOp::kLe, mode, kOnPath)));
  }
  finish(outside.then({.op = Opcode::kAssert, .a = missed, .message = "the attack succeeds"}), passage);
}

// Sections of helpers.

void Instrumentation::open_lock(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  route.then(passage.instruction)
      .then({.op = Opcode::kAtomicBegin})
      .then(say_.load(scratch.phase, layout_.phase()));
  const ExprId phase = say_.value(scratch.phase);
  finish(Route(route).then(Phrases::assume(say_.is(phase, 0))), passage);
  route.then(Phrases::assume(say_.is_not(phase, 0)))
      .then(Phrases::load(scratch.mode, mode_cell(passage)))
      .then(Phrases::store(mode_cell(passage), say_.op(ExprOp::kBitOr, say_.value(scratch.mode), kInLock)))
      .then(say_.store(layout_.hit(), 0));
  finish(route, passage);
}

void Instrumentation::close_lock(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  route.then({.op = Opcode::kAtomicBegin}).then(say_.load(scratch.phase, layout_.phase()));
  const ExprId phase = say_.value(scratch.phase);
  const auto unlock = [&](Route from) {
    from.then({.op = Opcode::kAtomicEnd}).to(passage.target, passage.instruction);
  };
  unlock(Route(route).then(Phrases::assume(say_.is(phase, 0))));
  route.then(Phrases::assume(say_.is_not(phase, 0)))
      .then(Phrases::load(scratch.mode, mode_cell(passage)))
      .then(Phrases::assume(say_.is(say_.value(scratch.mode), kInLock | kOnPath)));
  leave_section(route, passage);
  unlock(route);
}

void Instrumentation::open_block(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  route.then(passage.instruction).then(say_.load(scratch.phase, layout_.phase()));
  const ExprId phase = say_.value(scratch.phase), mode = say_.value(scratch.mode);
  route.to(passage.target, Phrases::assume(say_.is(phase, 0)));
  route.then(Phrases::assume(say_.is_not(phase, 0))).then(Phrases::load(scratch.mode, mode_cell(passage)));
  const ExprId locked = say_.op(ExprOp::kBitAnd, mode, kInLock);
  route.to(passage.target, Phrases::assume(say_.is_not(locked, 0)));
  route.then(Phrases::assume(say_.is(locked, 0)))
      .then(Phrases::store(mode_cell(passage), say_.op(ExprOp::kBitOr, mode, kBlockMode)))
      .to(passage.target, say_.store(layout_.hit(), 0));
}

void Instrumentation::close_block(Route route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  route.then(say_.load(scratch.phase, layout_.phase()));
  const ExprId phase = say_.value(scratch.phase), mode = say_.value(scratch.mode);
  const auto end = [&](Route from) { from.to(passage.target, passage.instruction); };
  end(Route(route).then(Phrases::assume(say_.is(phase, 0))));
  route.then(Phrases::assume(say_.is_not(phase, 0))).then(Phrases::load(scratch.mode, mode_cell(passage)));
  const ExprId locked = say_.op(ExprOp::kBitAnd, mode, kInLock);
  end(Route(route).then(Phrases::assume(say_.is_not(locked, 0))));
  route.then(Phrases::assume(say_.is(mode, kBlockMode | kOnPath)));
  leave_section(route, passage);
  end(route);
}

// The end of a section on the path, in an atomic block: now reaching the target counts.
void Instrumentation::leave_section(Route& route, const Passage& passage) {
  const Scratch& scratch = passage.scratch();
  route.then(say_.load(scratch.other, layout_.hit()))
      .then({.op = Opcode::kAssert,
             .a = say_.is(say_.value(scratch.other), 0),
             .message = "the attack succeeds"})
      .then(Phrases::store(mode_cell(passage), say_.number(kOnPath)));
}

// Levels.

ExprId Instrumentation::effective_level(ExprId cell) {
  if (!sections_) return cell;
  return say_.select(say_.op(ExprOp::kLt, cell, kFirstSoft), cell,
                     say_.greater(soft_part(cell, 3), soft_part(cell, 1)));
}

ExprId Instrumentation::owned(ExprId cell, ThreadId self) {
  const Value first = kFirstSoft + 9 * static_cast<Value>(self.index());
  return say_.both(say_.op(ExprOp::kGe, cell, first), say_.op(ExprOp::kLt, cell, first + 9));
}

ExprId Instrumentation::level_before_section(ExprId cell, ThreadId self) {
  if (!sections_) return cell;
  return say_.select(owned(cell, self), soft_part(cell, 3), effective_level(cell));
}

ExprId Instrumentation::soft_mark(ExprId cell, ThreadId self, ExprId mark) {
  const Value first = kFirstSoft + 9 * static_cast<Value>(self.index());
  const ExprId so_far = say_.select(owned(cell, self), say_.greater(soft_part(cell, 1), mark), mark);
  const ExprId before = say_.op(ExprOp::kMul, level_before_section(cell, self), 3);
  return say_.op(ExprOp::kAdd, say_.op(ExprOp::kAdd, before, so_far), first);
}

void Instrumentation::guard(Route& route, ExprId condition) {
  if (condition) route.then(Phrases::assume(condition));
}

// The access does not fail; its address in a form that stays good when the access changes registers.
ExprId Instrumentation::take_address(Route& route, const Passage& passage) {
  const Instruction& instruction = passage.instruction;
  guard(route, conditions_.operands_defined(instruction));
  const Expression given = result_.expression(instruction.a);
  ExprId address = say_.number(given.constant);
  if (given.op != ExprOp::kConstant) {
    route.then(Phrases::assign(passage.scratch().address, instruction.a));
    address = say_.value(passage.scratch().address);
  }
  guard(route, conditions_.valid_address(address, instruction.type.bits));
  return address;
}

ExprId Instrumentation::cell_of(ExprId address, Value offset) {
  const Expression given = result_.expression(address);
  return given.op == ExprOp::kConstant ? say_.number(given.constant + offset)
                                       : say_.op(ExprOp::kAdd, address, offset);
}

}  // namespace

Expected<Program> instrument(const Program& program, const Attack& attack) {
  if (auto error = beyond_instrumentation(program)) return std::move(*error);
  Expected<Layout> layout = plan_layout(program);
  if (!layout) return layout.error();
  Program result = Instrumentation(program, attack, *layout).run();
  // Conditions nest deeper than the expressions they speak of, in the worst case too deep.
  if (std::vector<Diagnostic> wrong = validate(result); !wrong.empty())
    return InputError{program.sources, std::move(wrong)};
  return result;
}

}  // namespace weir
