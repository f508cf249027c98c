#include "engine/robust/extension.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "base/error.hpp"
#include "program/address.hpp"
#include "trace/buffering.hpp"

namespace weir {

ExtendedProgram::ExtendedProgram(const Program& original) : original_(original), program_(original) {
  for (std::size_t e = 0; e < original.edges.size(); ++e) roles_.push_back({Role::Kind::kSame, EdgeId(e)});
  for (std::size_t l = 0; l < original.locations.size(); ++l) place_of_.push_back(LocationId(l));
}

// Adds the emulation of one path.
class ExtendedProgram::Extender {
 public:
  Extender(ExtendedProgram& extended, std::span<const EdgeId> path)
      : extended_(extended), program_(extended.program_) {
    function_ = program_.location(program_.edge(path[0]).source).function;
    // The first edge will be changed, and may occur again on the path.
    for (const EdgeId edge : path)
      path_.push_back({program_.edge(edge), extended.roles_[edge.index()], edge});
  }

  bool possible() const {
    return std::ranges::all_of(path_, [&](const Element& element) {
      const Instruction& instruction = element.edge.instruction;
      const Opcode op = instruction.op;
      return !instruction.copies && op != Opcode::kCall && op != Opcode::kReturn && op != Opcode::kFree &&
             op != Opcode::kHalt && op != Opcode::kStop &&
             program_.location(element.edge.source).function == function_;
    });
  }

  void run() {
    LocationId at = replace_first_store();
    for (std::size_t i = 1; i < path_.size(); ++i) {
      leave_path(at, i);
      stop_delaying(at, i);
      at = emulate(at, i);
    }
    drain(at, path_.back().edge.target, Fenced::kNo);
  }

 private:
  enum class Fenced : bool { kNo, kYes };

  struct Element {
    Edge edge;
    Role role;
    EdgeId id;
  };

  // A location at which the thread is, in the original program, where it is at `like` in this one.
  LocationId add_location(LocationId like) {
    const LocationId place = extended_.place_of_[like.index()];
    const LocationId added = program_.add_location(function_, {}, program_.location(like).position);
    extended_.place_of_.push_back(place);
    add_to_properties(added, place);
    return added;
  }

  void add_to_properties(LocationId added, LocationId place) {
    const auto extend_list = [&](std::vector<ThreadLocation>& list) {
      const std::vector<ThreadLocation> old = list;
      for (const ThreadLocation& entry : old)
        if (entry.location == place) list.push_back({entry.thread, added});
    };
    for (auto& goal : program_.properties.goals) extend_list(goal);
    for (auto& list : program_.properties.exclusive) extend_list(list);
  }

  void add_edge(LocationId from, LocationId to, Instruction instruction, SourcePosition position, Role role) {
    if (instruction.op == Opcode::kReturn) to = from;
    program_.add_edge(from, to, std::move(instruction), position);
    extended_.roles_.push_back(role);
  }

  Type register_type(RegisterId reg) const {
    return program_.function(function_).registers[reg.index()].type;
  }
  ExprId read(RegisterId reg) { return program_.register_value(reg, register_type(reg)); }

  RegisterId add_register(const char* what, Type type) {
    const std::string name = fmt::format("delayed_{}_{}_{}", what, extended_.extensions_, registers_++);
    return program_.add_register(function_, name, type);
  }

  static Instruction assign(RegisterId to, ExprId value) {
    return {.op = Opcode::kAssign, .result = to, .a = value};
  }

  // Stores.

  const DelayedStore& add_store(const Element& element) {
    const Instruction& store = element.edge.instruction;
    stores_.push_back({.address = add_register("address", kInt64),
                       .value = add_register("value", program_.expression(store.b).type),
                       .held = {},
                       .instruction = store,
                       .position = element.edge.position});
    if (may_be_private(element)) stores_.back().held = add_register("held", kInt64);
    return stores_.back();
  }

  // Stores to private memory go through no buffer. Those that were delayed before are none.
  bool may_be_private(const Element& store) const {
    return store.role.kind == Role::Kind::kSame &&
           program_.expression(store.edge.instruction.a).op != ExprOp::kConstant &&
           std::ranges::any_of(program_.functions, [](const Function& f) { return !f.privates.empty(); });
  }

  ExprId is_private(RegisterId address) {
    constexpr std::uint64_t kMask = std::uint64_t{0x3FF} << 54 | std::uint64_t{0xF} << 44;
    constexpr Value kPattern = Value{1} << 44;
    static_assert(address_bits::is_private(static_cast<std::uint64_t>(kPattern)));
    const ExprId masked =
        program_.binary(ExprOp::kBitAnd, read(address), program_.constant(static_cast<Value>(kMask)), kInt64);
    return program_.binary(ExprOp::kEq, masked, program_.constant(kPattern), kInt64);
  }

  // The store itself, once its address is known.
  void store_at_once(LocationId from, LocationId to, const Element& element, RegisterId address) {
    Instruction store = element.edge.instruction;
    store.a = read(address);
    add_edge(from, to, std::move(store), element.edge.position, element.role);
  }

  // A store that is a flush in the original program has entered the buffer before.
  static Role address_role(const Role& of_store) {
    return of_store.kind == Role::Kind::kSame ? Role{Role::Kind::kAddress, of_store.origin}
                                              : Role{Role::Kind::kSilent, {}};
  }
  static Role value_role(const Role& of_store) {
    return of_store.kind == Role::Kind::kSame ? Role{Role::Kind::kBuffer, of_store.origin}
                                              : Role{Role::Kind::kSilent, {}};
  }

  // The edge of the first store now begins the emulation. A store to private memory begins none.
  LocationId replace_first_store() {
    const Element first = path_[0];
    const DelayedStore store = add_store(first);
    LocationId between = add_location(first.edge.source);
    const LocationId after = add_location(first.edge.target);
    Edge& edge = program_.edges[first.id.index()];
    edge.instruction = assign(store.address, first.edge.instruction.a);
    edge.target = between;
    extended_.roles_[first.id.index()] = address_role(first.role);
    if (store.held.valid()) {
      stores_.back().held = {};  // from here on
      const auto [own, shared] = branch(between, is_private(store.address), first);
      store_at_once(own, first.edge.target, first, store.address);
      between = shared;
    }
    add_edge(between, after, assign(store.value, first.edge.instruction.b), first.edge.position,
             value_role(first.role));
    return after;
  }

  void emulate_store(LocationId from, LocationId to, const Element& element) {
    const DelayedStore store = add_store(element);
    const SourcePosition position = element.edge.position;
    LocationId between = add_location(element.edge.source);
    add_edge(from, between, assign(store.address, element.edge.instruction.a), position,
             address_role(element.role));
    if (store.held.valid()) {
      const ExprId own_memory = is_private(store.address);
      const LocationId known = add_location(element.edge.source);
      const ExprId shared_memory = program_.unary(ExprOp::kLogicalNot, own_memory, kInt64);
      add_edge(between, known, assign(store.held, shared_memory), position, {Role::Kind::kSilent, {}});
      const auto [own, shared] = branch(known, own_memory, element);
      store_at_once(own, to, element, store.address);
      between = shared;
    }
    add_edge(between, to, assign(store.value, element.edge.instruction.b), position,
             value_role(element.role));
  }

  // Two locations: one where the condition holds, and one where it does not.
  std::pair<LocationId, LocationId> branch(LocationId from, ExprId condition, const Element& element) {
    const LocationId holds = add_location(element.edge.source);
    const LocationId fails = add_location(element.edge.source);
    assume(from, holds, condition, element.edge.position);
    assume(from, fails, program_.unary(ExprOp::kLogicalNot, condition, kInt64), element.edge.position);
    return {holds, fails};
  }

  void assume(LocationId from, LocationId to, ExprId condition, SourcePosition position) {
    add_edge(from, to, {.op = Opcode::kAssume, .a = condition}, position, {Role::Kind::kSilent, {}});
  }

  // Loads.

  void emulate_load(LocationId from, LocationId to, const Element& element) {
    const Instruction& load = element.edge.instruction;
    const SourcePosition position = element.edge.position;
    const RegisterId address = add_register("address", kInt64);
    LocationId at = add_location(element.edge.source);
    add_edge(from, at, assign(address, load.a), position, {Role::Kind::kAddress, element.role.origin});
    for (std::size_t j = stores_.size(); j-- > 0;) {
      // Where memory is not made of bytes, a load of another width fails, in memory, too.
      if (stores_[j].instruction.type.bits == load.type.bits) {
        const std::optional<bool> same = same_constant(stores_[j].instruction.a, load.a);
        if (same == true) return read_early(at, to, element, stores_[j]);
        if (same == std::nullopt) {
          const auto [matches, differs] = branch(at, is_at(stores_[j], address), element);
          read_early(matches, to, element, stores_[j]);
          at = differs;
        }
      }
      if (program_.byte_memory && may_share_a_byte(stores_[j], load))
        at = leave_out_if_read_in_part(at, stores_[j], address, element);
    }
    Instruction from_memory = load;
    from_memory.a = read(address);
    add_edge(at, to, std::move(from_memory), position, element.role);
  }

  // Without being to the same cell.
  bool may_share_a_byte(const DelayedStore& store, const Instruction& load) const {
    const Expression& x = program_.expression(store.instruction.a);
    const Expression& y = program_.expression(load.a);
    const auto size = static_cast<Value>(bytes_of(store.instruction.type));
    const auto loaded = static_cast<Value>(bytes_of(load.type));
    if (size == 1 && loaded == 1) return false;
    if (x.op != ExprOp::kConstant || y.op != ExprOp::kConstant) return true;
    return x.constant < y.constant + loaded && y.constant < x.constant + size;
  }

  // What a load returns that sees a part of a delayed store, or more than that, is not emulated.
  LocationId leave_out_if_read_in_part(LocationId from, const DelayedStore& store, RegisterId address,
                                       const Element& load) {
    const ExprId overlap =
        program_.binary(ExprOp::kLogicalOr, is_within(address, store.address, store.instruction.type),
                        is_within(store.address, address, load.edge.instruction.type), kInt64);
    const auto [overlaps, apart] = branch(from, if_held(store, overlap), load);
    add_edge(overlaps, overlaps,
             {.op = Opcode::kHalt, .message = "a delayed store is read with another size"},
             load.edge.position, {Role::Kind::kSilent, {}});
    return apart;
  }

  // Is the address one of the bytes from `start` on?
  ExprId is_within(RegisterId address, RegisterId start, Type type) {
    const auto unsigned_value = [&](RegisterId reg) {
      return program_.unary(ExprOp::kCast, read(reg), kAddressType);
    };
    const ExprId distance =
        program_.binary(ExprOp::kSub, unsigned_value(address), unsigned_value(start), kAddressType);
    const ExprId bytes = program_.constant(static_cast<Value>(bytes_of(type)), kAddressType);
    return program_.binary(ExprOp::kLt, distance, bytes, kInt64);
  }

  ExprId is_at(const DelayedStore& store, RegisterId address) {
    const ExprId same = program_.binary(ExprOp::kEq, read(store.address), read(address), kInt64);
    return if_held(store, same);
  }

  ExprId if_held(const DelayedStore& store, ExprId condition) {
    return store.held.valid() ? program_.binary(ExprOp::kLogicalAnd, read(store.held), condition, kInt64)
                              : condition;
  }

  // The load returns what is buffered. One that waits for something else has it in memory first.
  void read_early(LocationId from, LocationId to, const Element& element, const DelayedStore& store) {
    const Instruction& load = element.edge.instruction;
    const ExprId value = program_.unary(ExprOp::kCast, read(store.value), load.type);
    if (load.waits) {
      const ExprId other = program_.unary(ExprOp::kCast, load.c, load.type);
      const ExprId goes_on = program_.binary(load.until ? ExprOp::kEq : ExprOp::kNe, value, other, kInt64);
      const auto [passes, waits] = branch(from, goes_on, element);
      drain(waits, element.edge.source, Fenced::kNo);
      from = passes;
    }
    add_edge(from, to, assign(load.result, value), element.edge.position,
             {Role::Kind::kEarlyRead, element.role.origin});
  }

  std::optional<bool> same_constant(ExprId a, ExprId b) const {
    const Expression& x = program_.expression(a);
    const Expression& y = program_.expression(b);
    if (x.op != ExprOp::kConstant || y.op != ExprOp::kConstant) return std::nullopt;
    return x.constant == y.constant;
  }

  // The path.

  LocationId emulate(LocationId from, std::size_t index) {
    const Element& element = path_[index];
    const LocationId to = add_location(element.edge.target);
    switch (element.edge.instruction.op) {
      case Opcode::kStore: emulate_store(from, to, element); break;
      case Opcode::kLoad: emulate_load(from, to, element); break;
      default: add_edge(from, to, element.edge.instruction, element.edge.position, element.role); break;
    }
    return to;
  }

  // From `from`: the delayed stores happen, then control is at `to`. The fence stands behind the first.
  void drain(LocationId from, LocationId to, Fenced fenced) {
    const std::size_t count = stores_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const bool fence_follows = i == 0 && fenced == Fenced::kYes;
      const LocationId next = i + 1 == count && !fence_follows ? to : add_location(to);
      if (stores_[i].held.valid()) from = skip_unless_held(from, next, stores_[i]);
      Instruction store = stores_[i].instruction;
      store.a = read(stores_[i].address);
      store.b = read(stores_[i].value);
      add_edge(from, next, std::move(store), stores_[i].position, {Role::Kind::kFlush, {}});
      from = next;
      if (!fence_follows) continue;
      const LocationId behind = count == 1 ? to : add_location(to);
      add_edge(from, behind, {.op = Opcode::kFence}, stores_[i].position, {Role::Kind::kSilent, {}});
      from = behind;
    }
  }

  // Where the store is held; otherwise there is nothing to do before `next`.
  LocationId skip_unless_held(LocationId from, LocationId next, const DelayedStore& store) {
    const LocationId held = add_location(next);
    assume(from, held, read(store.held), store.position);
    assume(from, next, program_.unary(ExprOp::kLogicalNot, read(store.held), kInt64), store.position);
    return held;
  }

  // The other instructions that can be executed instead of the next one of the path. If none of them can be,
  // the thread is not stuck: it goes on as if it had stopped delaying.
  void leave_path(LocationId from, std::size_t index) {
    std::vector<EdgeId> others = program_.location(path_[index].edge.source).edges;
    std::erase(others, path_[index].id);
    if (others.empty()) return;
    const LocationId left = add_location(path_[index].edge.source);
    drain(from, left, Fenced::kNo);
    for (const EdgeId other : others) {
      const Edge edge = program_.edge(other);
      const Role role = extended_.roles_[other.index()];
      add_edge(left, edge.target, edge.instruction, edge.position, role);
    }
    add_edge(left, path_[index].edge.source, {.op = Opcode::kFence}, path_[index].edge.position,
             {Role::Kind::kSilent, {}});
  }

  // The first store is not delayed past the next instruction of the path.
  void stop_delaying(LocationId from, std::size_t index) {
    const Opcode next = path_[index].edge.instruction.op;
    if (index == 1 || next == Opcode::kLoad || next == Opcode::kAssume)
      drain(from, path_[index].edge.source, Fenced::kYes);
  }

  ExtendedProgram& extended_;
  Program& program_;
  FunctionId function_;
  std::vector<Element> path_;
  std::vector<DelayedStore> stores_;
  std::size_t registers_ = 0;
};

bool ExtendedProgram::extend(std::span<const EdgeId> path) {
  Extender extender(*this, path);
  if (!extender.possible()) return false;
  extender.run();
  ++extensions_;
  return true;
}

// Follows an SC execution of the extended program.
class ExtendedProgram::Mapper {
 public:
  Mapper(const ExtendedProgram& extended, const Witness& witness)
      : extended_(extended),
        witness_(witness),
        pending_(extended.original_.threads.size()),
        address_(extended.original_.threads.size()),
        in_block_(extended.original_.threads.size()) {}

  Witness run() {
    const Violation& violation = witness_.violation;
    const bool leaks = violation.kind == ViolationKind::kMemory && violation.property == kLeak;
    const bool fails =
        violation.kind == ViolationKind::kAssertion || (violation.kind == ViolationKind::kMemory && !leaks);
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) {
      if (fails && i + 1 == witness_.steps.size()) {
        append_failing(witness_.steps[i]);
      } else {
        append(witness_.steps[i]);
      }
    }
    result_.model = Model::kTso;
    result_.violation = violation;
    return std::move(result_);
  }

 private:
  const Role& role(const WitnessStep& step) const { return extended_.roles_[step.edge.index()]; }

  WitnessStep mapped(WitnessStep step) const {
    step.edge = role(step).origin;
    return step;
  }

  void append(const WitnessStep& step) {
    const std::size_t t = step.thread.index();
    switch (role(step).kind) {
      case Role::Kind::kSame: return append_same(mapped(step));
      case Role::Kind::kAddress: address_[t] = step.value; return;
      case Role::Kind::kBuffer: pending_[t].push_back(result_.steps.size()); [[fallthrough]];
      case Role::Kind::kEarlyRead:
        result_.steps.push_back(mapped(step));
        result_.steps.back().address = address_[t];
        return;
      case Role::Kind::kFlush: return append_flush(step.thread);
      case Role::Kind::kSilent: return;
    }
  }

  // A store to a wrong address fails here when it is to happen, in the original program when it is issued. Nobody
  // has seen what its thread did since, so it is issued last: the block may have been released in between.
  void append_failing(const WitnessStep& step) {
    if (role(step).kind != Role::Kind::kFlush) return result_.steps.push_back(mapped(step));
    const std::size_t issued = pending_[step.thread.index()].front();
    const WitnessStep store = result_.steps[issued];
    std::vector<WitnessStep> kept;
    for (std::size_t i = 0; i < result_.steps.size(); ++i) {
      const WitnessStep& each = result_.steps[i];
      const bool own = each.thread == step.thread && each.kind != WitnessStep::Kind::kFlush;
      if (i < issued || !own) kept.push_back(each);
    }
    kept.push_back(store);
    result_.steps = std::move(kept);
  }

  void append_same(const WitnessStep& step) {
    const Instruction& instruction = extended_.original_.edge(step.edge).instruction;
    char& in_block = in_block_[step.thread.index()];
    if (instruction.op == Opcode::kAtomicBegin) in_block = true;
    if (instruction.op == Opcode::kAtomicEnd) in_block = false;
    result_.steps.push_back(step);
    const std::optional<Value> cell = buffered_cell(extended_.original_, step, Model::kTso, in_block);
    if (!cell) return;
    pending_[step.thread.index()].push_back(result_.steps.size() - 1);
    append_flush(step.thread);
  }

  void append_flush(ThreadId thread) {
    auto& pending = pending_[thread.index()];
    WEIR_CHECK(!pending.empty(), "a flush follows its store");
    WitnessStep flush = result_.steps[pending.front()];
    if (extended_.original_.edge(flush.edge).instruction.op == Opcode::kFree) {
      flush.address = status_address(flush.address);
      flush.value = 1;
    }
    flush.kind = WitnessStep::Kind::kFlush;
    pending.pop_front();
    result_.steps.push_back(flush);
  }

  const ExtendedProgram& extended_;
  const Witness& witness_;
  std::vector<std::deque<std::size_t>> pending_;  // per thread: steps of the result that are buffered stores
  std::vector<Value> address_;                    // per thread: of the next access
  std::vector<char> in_block_;
  Witness result_;
};

void ExtendedProgram::stop_looking_for(ViolationKind kind) {
  Properties& properties = program_.properties;
  if (kind == ViolationKind::kDeadlock) properties.deadlock = properties.partial_deadlock = false;
  if (kind == ViolationKind::kRace) properties.races = false;
}

Witness ExtendedProgram::original_witness(const Witness& witness) const {
  return Mapper(*this, witness).run();
}

}  // namespace weir
