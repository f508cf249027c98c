#include "selfcheck/random/genome_code.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "program/address.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::size_t kPointers = 2;
constexpr Type kSingle{32, false};

bool opens_region(GeneOp op) { return op == GeneOp::kLocked || op == GeneOp::kAtomic; }

// Does the instruction only go on to the next one?
bool is_straight_line(GeneOp op) {
  return !opens_region(op) && op != GeneOp::kBranch && op != GeneOp::kLoop && op != GeneOp::kEither &&
         op != GeneOp::kOneOfTwo;
}

bool is_new_memory(GeneOp op) { return op >= GeneOp::kLoadPrivate && op <= GeneOp::kCopyStorePrivate; }

bool uses_pointers(GeneOp op) { return op >= GeneOp::kFrameAddress && op <= GeneOp::kCopyStorePrivate; }

bool uses_private_memory(GeneOp op) {
  return (op >= GeneOp::kLoadPrivate && op <= GeneOp::kFrameAddress) || op == GeneOp::kCopyLoadPrivate ||
         op == GeneOp::kCopyStorePrivate;
}

// An opening instruction, the body that follows it, and a closing instruction that has no gene.
struct BracketedCode {
  std::size_t opener = 0;
  std::size_t end = 0;  // one past the body
  bool atomic = false;
  LocationId exit;  // where the closing instruction starts
};

// One function: a location before each instruction and one at the end, plus one for each closing instruction.
class ThreadCode {
 public:
  ThreadCode(Program& program, const Genome& genome, const ThreadGenes& genes, const GenomeHelpers& helpers)
      : program_(program), genome_(genome), genes_(genes), helpers_(helpers), type_(register_type(genome)) {
    function_ = program_.add_function(fmt::format("f{}", program_.functions.size()));
    for (std::size_t i = 0; i < kGenomeRegisters; ++i)
      registers_.push_back(program_.add_register(function_, fmt::format("r{}", i), type_));
    if (uses(uses_pointers)) add_pointers();
    if (uses(uses_private_memory)) add_private_memory();
    for (std::size_t i = 0; i <= size(); ++i)
      before_.push_back(program_.add_location(function_, fmt::format("{}", i)));
    program_.functions[function_.index()].entry = before_[0];
    find_regions();
    for (std::size_t i = 0; i < size(); ++i) add_instruction(i);
    if (genes_.goal) add_goal();
  }

  ThreadFunction result() const { return {function_, goal_, before_}; }

 private:
  std::size_t size() const { return genes_.code.size(); }

  bool uses(bool (*what)(GeneOp)) const {
    return !genome_.open_memory && std::ranges::any_of(genes_.code, what, &InstructionGene::op);
  }

  void add_pointers() {
    for (std::size_t i = 0; i < kPointers; ++i)
      pointers_.push_back(program_.add_register(function_, fmt::format("p{}", i), kAddressType));
  }

  void add_private_memory() {
    program_.functions[function_.index()].privates = {{.name = "a", .offset = 0, .size = 3},
                                                      {.name = "b", .offset = 4, .size = 2}};
  }

  void find_regions() {
    for (std::size_t i = 0; i < size(); ++i) {
      const InstructionGene& gene = genes_.code[i];
      if (!opens_region(gene.op)) continue;
      const std::size_t end = std::min(i + 1 + gene.distance, size());
      const LocationId exit = program_.add_location(function_, fmt::format("{}'", i));
      const bool atomic = gene.op == GeneOp::kAtomic;
      regions_.push_back({i, end, atomic, exit});
      program_.add_edge(exit, before_[end], {.op = atomic ? Opcode::kAtomicEnd : Opcode::kUnlock});
      i = end - 1;  // openers in the body open nothing
    }
  }

  // The region whose body contains instruction i.
  const BracketedCode* around(std::size_t i) const {
    const auto found =
        std::ranges::find_if(regions_, [&](const BracketedCode& r) { return r.opener < i && i < r.end; });
    return found == regions_.end() ? nullptr : &*found;
  }

  // Where control goes from instruction `from` when it wants to go to instruction `to`.
  LocationId target(std::size_t from, std::size_t to) const {
    to = std::min(to, size());
    if (const BracketedCode* here = around(from)) {
      if (to >= here->end) return here->exit;
      return before_[std::max(to, here->opener + 1)];
    }
    const BracketedCode* there = around(to);
    if (there == nullptr) return before_[to];
    return before_[to > from ? there->end : there->opener];
  }

  // Building blocks.

  ExprId constant(std::uint8_t value) { return program_.constant(value, type_); }
  RegisterId reg(std::uint8_t index) const { return registers_[index % kGenomeRegisters]; }
  ExprId value_of(std::uint8_t index) { return program_.register_value(reg(index), type_); }
  // Of bytes, no access goes beyond the last.
  ExprId address(const InstructionGene& gene) {
    const Value first = variable_address(genome_, gene.variable);
    if (!genome_.bytes) return program_.constant(first);
    return program_.constant(std::min(first, kGenomeBytes - static_cast<Value>(bytes_of(width(gene)))));
  }
  Type width(const InstructionGene& gene) const {
    return genome_.bytes ? Type{static_cast<std::uint8_t>(8 << gene.width % 3), false} : type_;
  }
  // What is stored: if there are several bytes, they differ.
  ExprId stored(const InstructionGene& gene) {
    if (!genome_.bytes) return constant(gene.value);
    const Value low = gene.value & 3, high = (gene.value + 1) & 3;
    return program_.constant(
        wrap(static_cast<std::uint64_t>(low | high << 8 | low << 16 | high << 24), width(gene)), width(gene));
  }
  ExprId awaited(const InstructionGene& gene) { return genome_.bytes ? stored(gene) : constant(gene.value); }
  // As wide as what is stored.
  ExprId fitting(const InstructionGene& gene, ExprId value) {
    return genome_.bytes ? program_.unary(ExprOp::kCast, value, width(gene)) : value;
  }
  ExprId indirect_address(const InstructionGene& gene) {
    return program_.unary(ExprOp::kCast, value_of(gene.other));
  }
  ExprId test(ExprOp op, std::uint8_t index, std::uint8_t value) {
    return program_.binary(op, value_of(index), constant(value));
  }

  Instruction load(const InstructionGene& gene, ExprId from) {
    return {.op = Opcode::kLoad,
            .plain = gene.plain != 0,
            .type = width(gene),
            .result = reg(gene.reg),
            .a = from};
  }
  Instruction store(const InstructionGene& gene, ExprId to, ExprId value, Order order = Order::kRelaxed) {
    return {.op = Opcode::kStore,
            .order = order,
            .plain = gene.plain != 0,
            .type = width(gene),
            .a = to,
            .b = value};
  }
  Instruction rmw(const InstructionGene& gene, RmwOp op) { return rmw(gene, op, address(gene)); }
  Instruction rmw(const InstructionGene& gene, RmwOp op, ExprId at) {
    Instruction result{.op = Opcode::kRmw, .rmw = op, .type = width(gene), .result = reg(gene.reg)};
    result.a = at;
    result.b = stored(gene);
    if (op == RmwOp::kCompareExchange) result.c = fitting(gene, value_of(gene.other));
    return result;
  }
  Instruction assign(const InstructionGene& gene, ExprId value) {
    return {.op = Opcode::kAssign, .result = reg(gene.reg), .a = value};
  }
  Instruction call(const InstructionGene& gene) {
    return {.op = Opcode::kCall,
            .result = reg(gene.reg),
            .callee = helpers_.read,
            .arguments = {value_of(gene.other)}};
  }

  // Addresses.

  RegisterId pointer(std::uint8_t index) const { return pointers_[index % kPointers]; }
  ExprId pointer_value(std::uint8_t index) { return program_.register_value(pointer(index), kAddressType); }
  ExprId frame(std::uint8_t offset) {
    return program_.add_expression({.op = ExprOp::kFrame, .type = kAddressType, .constant = offset});
  }
  ExprId sum(ExprId a, ExprId b) { return program_.binary(ExprOp::kAdd, a, b, kAddressType); }
  // a[s]
  ExprId private_byte(const InstructionGene& gene) {
    return sum(frame(0), program_.unary(ExprOp::kCast, value_of(gene.other), kAddressType));
  }
  // p[n mod 2], for one or the other pointer
  ExprId block_byte(const InstructionGene& gene, std::uint8_t index) {
    return sum(pointer_value(index), program_.constant(gene.distance % 2, kAddressType));
  }
  Instruction load_pointer(const InstructionGene& gene, ExprId from, Type type) {
    return {.op = Opcode::kLoad,
            .plain = gene.plain != 0,
            .type = type,
            .result = pointer(gene.other),
            .a = from};
  }
  Instruction store_pointer(const InstructionGene& gene, ExprId to, Type type) {
    Instruction result = store(gene, to, pointer_value(gene.other));
    result.type = type;
    return result;
  }
  static Instruction copying(Instruction instruction) {
    instruction.copies = true;
    return instruction;
  }
  static Instruction waiting(Instruction load, ExprId unwanted) {
    load.waits = true;
    load.c = unwanted;
    return load;
  }

  // Adding instruction i.

  void add_instruction(std::size_t i) {
    switch (genes_.code[i].op) {
      case GeneOp::kLocked:
      case GeneOp::kAtomic: return add_opener(i);
      case GeneOp::kBranch: return add_branch(i, i + 1, i + 1 + genes_.code[i].distance);
      case GeneOp::kLoop:
        return add_branch(i, i - std::min<std::size_t>(i, genes_.code[i].distance + 1), i + 1);
      case GeneOp::kEither:
        program_.add_edge(before_[i], target(i, i + 1), {});
        program_.add_edge(before_[i], target(i, i + 1 + genes_.code[i].distance), {});
        return;
      case GeneOp::kOneOfTwo:
        add_alternative(i, i + 1);
        add_alternative(i, i + 2);
        return;
      default: program_.add_edge(before_[i], target(i, i + 1), straight_line(i));
    }
  }

  // Instruction `other` as an edge out of instruction i, which then goes on behind both alternatives; the way
  // to it where it is more than one edge, or in another region.
  void add_alternative(std::size_t i, std::size_t other) {
    if (other < size() && around(i) == around(other) && is_straight_line(genes_.code[other].op))
      program_.add_edge(before_[i], target(i, i + 3), straight_line(other));
    else
      program_.add_edge(before_[i], target(i, other), {});
  }

  void add_opener(std::size_t i) {
    for (const BracketedCode& region : regions_) {
      if (region.opener != i) continue;
      const LocationId inside = region.end == i + 1 ? region.exit : before_[i + 1];
      program_.add_edge(before_[i], inside, {.op = region.atomic ? Opcode::kAtomicBegin : Opcode::kLock});
      return;
    }
    program_.add_edge(before_[i], target(i, i + 1), {});
  }

  void add_branch(std::size_t i, std::size_t if_equal, std::size_t otherwise) {
    const InstructionGene& gene = genes_.code[i];
    program_.add_edge(before_[i], target(i, if_equal),
                      {.op = Opcode::kAssume, .a = test(ExprOp::kEq, gene.reg, gene.value)});
    program_.add_edge(before_[i], target(i, otherwise),
                      {.op = Opcode::kAssume, .a = test(ExprOp::kNe, gene.reg, gene.value)});
  }

  Instruction straight_line(std::size_t i) {
    const InstructionGene& g = genes_.code[i];
    const BracketedCode* region = around(i);
    const bool in_block = region != nullptr && region->atomic;
    switch (g.op) {
      case GeneOp::kLoad: return load(g, address(g));
      case GeneOp::kStore: return store(g, address(g), stored(g));
      case GeneOp::kStoreRegister: return store(g, address(g), fitting(g, value_of(g.reg)));
      case GeneOp::kStoreRelease: return store(g, address(g), stored(g), Order::kRelease);
      case GeneOp::kStoreSequential: return store(g, address(g), stored(g), Order::kSequential);
      case GeneOp::kFullFence: return {.op = Opcode::kFence, .fence = FenceKind::kFull};
      case GeneOp::kStoreFence: return {.op = Opcode::kFence, .fence = FenceKind::kStoreStore};
      case GeneOp::kLock: return {.op = in_block ? Opcode::kNop : Opcode::kLock};
      case GeneOp::kUnlock: return {.op = in_block ? Opcode::kNop : Opcode::kUnlock};
      case GeneOp::kExchange: return rmw(g, RmwOp::kExchange);
      case GeneOp::kFetchAdd: return rmw(g, RmwOp::kAdd);
      case GeneOp::kCompareExchange: return rmw(g, RmwOp::kCompareExchange);
      case GeneOp::kAssign: return assign(g, constant(g.value));
      case GeneOp::kAssignSum:
        return assign(g, program_.binary(ExprOp::kAdd, value_of(g.other), constant(g.value), type_));
      case GeneOp::kDivide:
        return assign(g, program_.binary(ExprOp::kDiv, constant(g.value), value_of(g.other), type_));
      case GeneOp::kAssume: return {.op = Opcode::kAssume, .a = test(ExprOp::kEq, g.reg, g.value)};
      case GeneOp::kAssert: return {.op = Opcode::kAssert, .a = test(ExprOp::kNe, g.reg, g.value)};
      case GeneOp::kChoose: return {.op = Opcode::kChoose, .result = reg(g.reg), .low = 0, .high = g.value};
      case GeneOp::kCall: return call(g);
      case GeneOp::kLoadIndirect: return load(g, indirect_address(g));
      case GeneOp::kStoreIndirect: return store(g, indirect_address(g), stored(g));
      case GeneOp::kStop: return {.op = in_block ? Opcode::kNop : Opcode::kStop};
      case GeneOp::kCallStop: return in_block ? Instruction{} : call_leave(g);
      default: return is_new_memory(g.op) ? memory_instruction(g) : other_instruction(g);
    }
  }

  Instruction call_leave(const InstructionGene& g) {
    return {.op = Opcode::kCall, .callee = helpers_.leave, .arguments = {value_of(g.other)}};
  }

  Instruction memory_instruction(const InstructionGene& g) {
    if (genome_.open_memory) return {};
    const auto other = static_cast<std::uint8_t>(g.other + 1);
    switch (g.op) {
      case GeneOp::kLoadPrivate: return load(g, private_byte(g));
      case GeneOp::kStorePrivate: return store(g, private_byte(g), stored(g));
      case GeneOp::kStorePrivateWide: return store_two_bytes(g);
      case GeneOp::kUpdatePrivate: return rmw(g, RmwOp::kAdd, private_byte(g));
      case GeneOp::kFrameAddress:
        return {.op = Opcode::kAssign, .result = pointer(g.other), .a = frame(g.distance)};
      case GeneOp::kCallSet:
        return {.op = Opcode::kCall, .callee = helpers_.set, .arguments = {pointer_value(g.other)}};
      case GeneOp::kCallLocal:
        return {.op = Opcode::kCall, .result = pointer(g.other), .callee = helpers_.local};
      case GeneOp::kAllocate: return allocate(g);
      case GeneOp::kFree:
        return {.op = Opcode::kFree,
                .block = g.value == 0 ? BlockKind::kStack : BlockKind::kHeap,
                .a = pointer_value(g.other)};
      case GeneOp::kLoadBlock: return load(g, block_byte(g, g.other));
      case GeneOp::kStoreBlock: return store(g, block_byte(g, g.other), stored(g));
      case GeneOp::kUpdateBlock: return rmw(g, RmwOp::kAdd, block_byte(g, g.other));
      case GeneOp::kPublish: return publish(g);
      case GeneOp::kFetchPointer: return load_pointer(g, pointer_cell(), kAddressType);
      case GeneOp::kAwaitPointer:
        return waiting(load_pointer(g, pointer_cell(), kAddressType), program_.constant(0));
      case GeneOp::kCopyLoad: return copying(load_pointer(g, address(g), width(g)));
      case GeneOp::kCopyStore: return copying(store_pointer(g, address(g), width(g)));
      case GeneOp::kCopyLoadBlock: return copying(load_pointer(g, block_byte(g, other), width(g)));
      case GeneOp::kCopyStoreBlock: return copying(store_pointer(g, block_byte(g, other), width(g)));
      case GeneOp::kCopyLoadPrivate: return copying(load_pointer(g, private_byte(g), width(g)));
      case GeneOp::kCopyStorePrivate: return copying(store_pointer(g, private_byte(g), width(g)));
      default: return {};
    }
  }

  Instruction store_two_bytes(const InstructionGene& g) {
    constexpr Type kTwoBytes{16, false};
    const Value both = (g.value & 3) + 256 * (3 - (g.value & 3));
    Instruction result = store(g, private_byte(g), program_.constant(both, kTwoBytes));
    result.type = kTwoBytes;
    return result;
  }

  Instruction allocate(const InstructionGene& g) {
    const BlockKind heap = g.variable % 2 == 0 ? BlockKind::kHeap : BlockKind::kZeroed;
    return {.op = Opcode::kAllocate,
            .block = g.value == 0 ? BlockKind::kStack : heap,
            .result = pointer(g.other),
            .a = program_.constant(g.distance + (genome_.bytes ? kGenomeBytes : 1))};
  }

  ExprId pointer_cell() { return program_.constant(kPointerCell); }

  Instruction publish(const InstructionGene& g) {
    Instruction result = store_pointer(g, pointer_cell(), kAddressType);
    result.order = g.value == 1 ? Order::kRelease : Order::kRelaxed;
    return result;
  }

  Instruction other_instruction(const InstructionGene& g) {
    switch (g.op) {
      case GeneOp::kAwait: return waiting(load(g, address(g)), awaited(g));
      case GeneOp::kAwaitValue: {
        Instruction awaits = waiting(load(g, address(g)), awaited(g));
        awaits.until = true;
        return awaits;
      }
      case GeneOp::kHalt: return {.op = Opcode::kHalt, .waits = g.value == 1};
      case GeneOp::kSelf: return assign(g, program_.add_expression({.op = ExprOp::kSelf, .type = type_}));
      case GeneOp::kUpdateOther: return update_other(g);
      case GeneOp::kFloat: return assign(g, program_.unary(ExprOp::kFloatToInt, float_result(g), type_));
      case GeneOp::kFloatCompare: return assign(g, float_comparison(g));
      case GeneOp::kFloatBits: return assign(g, float_bits(g));
      default: return {};
    }
  }

  Instruction update_other(const InstructionGene& g) {
    static constexpr RmwOp kOps[] = {RmwOp::kBitNand, RmwOp::kMin, RmwOp::kMax, RmwOp::kUnsignedMin,
                                     RmwOp::kUnsignedMax};
    Instruction result = rmw(g, kOps[(g.value + g.distance) % std::size(kOps)]);
    result.b = fitting(g, value_of(g.other));
    return result;
  }

  ExprId as_float(ExprId value) { return program_.unary(ExprOp::kIntToFloat, value, kSingle); }

  // s op k
  ExprId float_result(const InstructionGene& g) {
    static constexpr ExprOp kOps[] = {ExprOp::kFloatAdd, ExprOp::kFloatSub, ExprOp::kFloatMul,
                                      ExprOp::kFloatDiv, ExprOp::kFloatRem};
    const ExprId left = as_float(value_of(g.other));
    const ExprId right = as_float(constant(g.value));
    return program_.binary(kOps[(g.variable + g.distance) % std::size(kOps)], left, right, kSingle);
  }

  // With k / 0 on the right side, which is no number if k is 0.
  ExprId float_comparison(const InstructionGene& g) {
    static constexpr ExprOp kOps[] = {ExprOp::kFloatEq, ExprOp::kFloatLt, ExprOp::kFloatLe,
                                      ExprOp::kFloatUnordered};
    const ExprId left = as_float(value_of(g.other));
    const ExprId zero = as_float(constant(0));
    const ExprId right = program_.binary(ExprOp::kFloatDiv, as_float(constant(g.value)), zero, kSingle);
    return program_.binary(kOps[g.distance % std::size(kOps)], left, right, type_);
  }

  // Where the exponent meets the fraction.
  ExprId float_bits(const InstructionGene& g) {
    const ExprId shifted =
        program_.binary(ExprOp::kShr, float_result(g), program_.constant(22, kSingle), kSingle);
    return program_.unary(ExprOp::kCast, shifted, type_);
  }

  void add_goal() {
    goal_ = program_.add_location(function_, "goal");
    program_.add_edge(before_[size()], goal_,
                      {.op = Opcode::kAssume, .a = test(ExprOp::kEq, genes_.goal->reg, genes_.goal->value)});
  }

  Program& program_;
  const Genome& genome_;
  const ThreadGenes& genes_;
  const GenomeHelpers& helpers_;
  const Type type_;
  FunctionId function_;
  std::vector<RegisterId> registers_;
  std::vector<RegisterId> pointers_;
  std::vector<LocationId> before_;
  std::vector<BracketedCode> regions_;
  LocationId goal_;
};

}  // namespace

// If memory is made of bytes, one or two variables fill it; more have a byte each, and there may be one left.
Type cell_type(const Genome& genome) {
  if (!genome.bytes) return register_type(genome);
  const std::size_t bytes = genome.initial.size() > 2 ? 1 : kGenomeBytes / genome.initial.size();
  return {static_cast<std::uint8_t>(8 * bytes), false};
}

Type register_type(const Genome& genome) {
  if (genome.bytes) return {8 * kGenomeBytes, false};
  return genome.open_memory ? kInt64 : kGenomeCell;
}

Value variable_address(const Genome& genome, std::size_t variable) {
  const auto index = static_cast<Value>(variable % genome.initial.size());
  if (genome.bytes) return index * static_cast<Value>(bytes_of(cell_type(genome)));
  if (!genome.interleaved || genome.open_memory || index > 2 || index == 0) return index;
  return 3 - index;
}

ThreadFunction add_thread_function(Program& program, const Genome& genome, const ThreadGenes& genes,
                                   const GenomeHelpers& helpers) {
  return ThreadCode(program, genome, genes, helpers).result();
}

}  // namespace weir::selfcheck
