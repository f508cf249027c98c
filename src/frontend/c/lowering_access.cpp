#include "frontend/c/lowering_access.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/c/lowering_external.hpp"
#include "frontend/c/lowering_function.hpp"

namespace weir::c {

namespace {

struct Part {
  std::int64_t offset = 0;  // of the cell from the start of the access
  std::uint64_t bytes = 0;
};

// The cells that an access of some bytes touches. Empty if the access is simply itself.
std::vector<Part> parts_of(const Place& place, std::uint64_t bytes) {
  if (place.layout == nullptr || place.layout->too_big) return {};
  if (place.certain() && place.offset + bytes > place.layout->size) return {};  // out of bounds: left to the machine
  std::vector<Part> parts;
  for (const CellRun& run : place.layout->slice(place.offset, place.offset + bytes))
    for (std::uint64_t k = 0; k < run.count; ++k)
      parts.push_back({static_cast<std::int64_t>(run.offset + k * run.stride - place.offset), run.bytes});
  if (parts.size() == 1 && parts[0].offset == 0 && parts[0].bytes == bytes) return {};
  return parts;
}

bool has_padding(const std::vector<Part>& parts, std::uint64_t bytes) {
  std::uint64_t covered = 0;
  for (const Part& part : parts) covered += part.bytes;
  return covered < bytes;
}

// Where the type is likely but not certain, only a structure that is passed as a number is taken apart.
bool splits(const Place& place, const std::vector<Part>& parts, std::uint64_t bytes) {
  if (parts.empty()) return false;
  switch (place.owner) {
    case Owner::kPrivate: return has_padding(parts, bytes) && parts.size() > 1;
    case Owner::kGlobal: return true;
    case Owner::kBlock: return parts.size() > 1;
    case Owner::kUnknown:
      return parts.size() > 1 && place.offset == 0 && bytes >= place.layout->size && place.layout->runs.size() > 1;
  }
  return false;
}

bool seen_otherwise(const Place& place, std::uint64_t bytes) {
  const auto runs = place.layout->slice(place.offset, place.offset + bytes);
  return std::any_of(runs.begin(), runs.end(), [](const CellRun& run) { return run.may_be_seen_otherwise; });
}

class Access {
 public:
  Access(FunctionLowering& lowering, const llvm::Value& pointer, AccessKind kind)
      : lowering_(lowering),
        emitter_(lowering.emitter),
        build_(lowering.build),
        place_(lowering.module.places.of(pointer)),
        address_(lowering.use(pointer)),
        kind_(kind) {}

  const Place& place() const { return place_; }

  // One scalar at `offset` from the pointer. `result`: the register to use, if that is possible.
  ExprId load(std::uint64_t offset, llvm::Type* type, RegisterId result) {
    const Type cell = *cell_type(type), wanted = *scalar_type(type);
    const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
    if (!parts.empty()) return build_.cast(combine(offset, parts, cell), wanted);
    if (result && emitter_.graph.registers[result.index()].type == cell)
      return emitter_.value_of(emitter_.load(at(offset), cell, kind_, result));
    return build_.cast(emitter_.value_of(emitter_.load(at(offset), cell, kind_)), wanted);
  }

  // False: only a part of a shared cell would change.
  bool store(std::uint64_t offset, llvm::Type* type, ExprId value) {
    const Type cell = *cell_type(type);
    const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
    if (parts.empty()) {
      emitter_.store(at(offset), as_cell(value, cell), cell, kind_);
      return true;
    }
    const auto whole = [&](const Part& part) {
      return part.offset >= 0 && static_cast<std::uint64_t>(part.offset) + part.bytes <= cell.bits / 8u;
    };
    if (!std::all_of(parts.begin(), parts.end(), whole)) return false;
    const Type word{cell.bits, false};
    const ExprId all = emitter_.in_register(build_.cast(build_.as_unsigned(value), word));
    for (const Part& part : parts) {
      const ExprId shifted = build_.binary(ExprOp::kShr, all, build_.constant(part.offset * 8, word));
      const Type piece{static_cast<std::uint8_t>(part.bytes * 8), false};
      emitter_.store(at(offset + static_cast<std::uint64_t>(part.offset)), build_.cast(shifted, piece), piece, kind_);
    }
    return true;
  }

  // A scalar of less than a byte is a whole one in memory.
  ExprId as_cell(ExprId value, Type cell) {
    return build_.type(value).bits == cell.bits ? value : build_.cast(build_.as_unsigned(value), cell);
  }

  ExprId at(std::uint64_t offset) {
    if (offset == 0) return address_;
    address_ = emitter_.in_register(address_);
    return build_.plus(address_, static_cast<Value>(offset));
  }
  // Used several times.
  void keep_address() { address_ = emitter_.in_register(address_); }

  std::vector<Part> parts_at(std::uint64_t offset, std::uint64_t bytes) const {
    Place place = place_;
    place.offset += offset;
    std::vector<Part> parts = parts_of(place, bytes);
    if (!splits(place, parts, bytes)) parts.clear();
    return parts;
  }

 private:
  // Loads every cell and takes what is needed of each. Padding is 0.
  ExprId combine(std::uint64_t offset, const std::vector<Part>& parts, Type cell) {
    const Type word{cell.bits, false};
    keep_address();
    ExprId whole = build_.constant(0, word);
    for (const Part& part : parts) {
      const Type piece{static_cast<std::uint8_t>(part.bytes * 8), false};
      const ExprId address = build_.plus(at(offset), part.offset);
      const ExprId value = emitter_.value_of(emitter_.load(address, piece, kind_));
      const Type wide{std::max(word.bits, piece.bits), false};
      ExprId moved = build_.cast(value, wide);
      moved = part.offset >= 0
                  ? build_.binary(ExprOp::kShl, moved, build_.constant(part.offset * 8, wide))
                  : build_.binary(ExprOp::kShr, moved, build_.constant(-part.offset * 8, wide));
      moved = build_.cast(moved, word);
      whole = build_.number(whole) == 0 ? moved : build_.binary(ExprOp::kBitOr, whole, moved);
    }
    return build_.cast(whole, cell);
  }

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  Place place_;
  ExprId address_;
  AccessKind kind_;
};

// --- Structures that are loaded to be stored
// ----------------------------------------------------------------

// Stores that do nothing but put the value, or a part of it, into memory. Empty if it is used otherwise.
std::vector<const llvm::StoreInst*> stores_of(const llvm::Instruction& value) {
  std::vector<const llvm::StoreInst*> stores;
  for (const llvm::Use& use : value.uses()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
        store != nullptr && store->getValueOperand() == &value && !store->isAtomic()) {
      stores.push_back(store);
      continue;
    }
    const auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(use.getUser());
    if (extraction == nullptr) return {};
    if (extraction->use_empty()) continue;
    const auto inner = stores_of(*extraction);
    if (inner.empty()) return {};
    stores.insert(stores.end(), inner.begin(), inner.end());
  }
  return stores;
}

// Could the bytes be partly uninitialised, or padding, without that being a mistake of the program?
bool is_copied(FunctionLowering& lowering, const llvm::LoadInst& load) {
  if (load.isAtomic() || load.isVolatile()) return false;
  const Place place = lowering.module.places.of(*load.getPointerOperand());
  if (place.layout == nullptr || place.layout->too_big) return false;
  const std::uint64_t bytes = lowering.data().getTypeStoreSize(load.getType());
  const std::vector<Part> parts = parts_of(place, bytes);
  bool apart = parts.size() > 1 && splits(place, parts, bytes);
  if (place.owner == Owner::kPrivate) {
    const bool in_bounds = place.offset + bytes <= place.layout->size;
    apart = place.stands_for_another || (in_bounds && (parts.size() > 1 || seen_otherwise(place, bytes)));
  }
  return apart && !stores_of(load).empty();
}

const llvm::Value* variable_behind(FunctionLowering& lowering, const llvm::Value& pointer) {
  return lowering.module.places.of(pointer).variable;
}

// Is the memory that was loaded surely unchanged when the last of the stores happens?
bool unchanged_until(FunctionLowering& lowering, const llvm::LoadInst& load,
                     const std::vector<const llvm::StoreInst*>& stores) {
  constexpr int kFarthest = 64;
  const llvm::Value* variable = variable_behind(lowering, *load.getPointerOperand());
  std::size_t left = stores.size();
  int distance = 0;
  for (const llvm::Instruction* i = load.getNextNode(); i != nullptr && ++distance < kFarthest; i = i->getNextNode()) {
    if (std::find(stores.begin(), stores.end(), i) != stores.end() && --left == 0) return true;
    if (!i->mayWriteToMemory()) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(i)) {
      const llvm::Value* written = variable_behind(lowering, *store->getPointerOperand());
      if (written == nullptr || written == variable) return false;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(i); call == nullptr || !has_no_effect(*call)) {
      return false;
    }
  }
  return false;
}

// Parts of which each is initialised as a whole or not at all.
std::vector<Part> smallest_parts(const Place& place, std::uint64_t bytes) {
  if (place.layout != nullptr && place.layout->size > place.offset)
    bytes = std::min(bytes, place.layout->size - place.offset);
  std::vector<Part> parts = parts_of(place, bytes);
  const bool known = place.layout != nullptr && !seen_otherwise(place, bytes);
  if (place.owner != Owner::kPrivate || (known && !parts.empty())) return parts;
  if (known && bytes <= 8) return {{0, bytes}};
  parts.clear();
  for (std::uint64_t i = 0; i < bytes; ++i) parts.push_back({static_cast<std::int64_t>(i), 1});
  return parts;
}

void load_to_be_stored(FunctionLowering& lowering, const llvm::LoadInst& load) {
  const Place place = lowering.module.places.of(*load.getPointerOperand());
  const ExprId address = lowering.emitter.in_register(lowering.use(*load.getPointerOperand()));
  CopiedValue copied;
  if (place.owner == Owner::kPrivate && unchanged_until(lowering, load, stores_of(load))) {
    copied.deferred_from = address;
  } else {
    const std::uint64_t bytes = lowering.data().getTypeStoreSize(load.getType());
    for (const Part& part : smallest_parts(place, bytes)) {
      const Type type{static_cast<std::uint8_t>(part.bytes * 8), false};
      const RegisterId reg =
          lowering.emitter.load(lowering.build.plus(address, part.offset), type, {.copies = true});
      copied.parts.push_back({static_cast<std::uint64_t>(part.offset), part.bytes, reg});
    }
  }
  lowering.copied_values[&load] = std::move(copied);
}

struct CopySource {
  const llvm::LoadInst* load = nullptr;
  std::uint64_t offset = 0;  // of the value within what was loaded
};

CopySource copy_source(FunctionLowering& lowering, const llvm::Value& value) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    return {lowering.copied_values.contains(load) ? load : nullptr, 0};
  const auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(&value);
  if (extraction == nullptr) return {};
  const llvm::Value& whole = *extraction->getAggregateOperand();
  CopySource source = copy_source(lowering, whole);
  const auto leaves = source.load == nullptr ? std::nullopt : lowering.leaves(whole.getType());
  if (!leaves) return {};
  source.offset += (*leaves)[leaf_index(whole.getType(), extraction->getIndices(), lowering.data())].offset;
  return source;
}

void store_copy(FunctionLowering& lowering, const llvm::StoreInst& store, const CopySource& source) {
  Emitter& emitter = lowering.emitter;
  Expressions& build = lowering.build;
  const CopiedValue& copied = lowering.copied_values[source.load];
  const std::uint64_t bytes = lowering.data().getTypeStoreSize(store.getValueOperand()->getType());
  const ExprId target = emitter.in_register(lowering.use(*store.getPointerOperand()));
  const AccessKind kind{.copies = true};
  if (!copied.deferred_from) {
    for (const CopiedValue::Part& part : copied.parts) {
      if (part.offset < source.offset || part.offset + part.bytes > source.offset + bytes) continue;
      const Type type{static_cast<std::uint8_t>(part.bytes * 8), false};
      emitter.store(build.plus(target, static_cast<Value>(part.offset - source.offset)), emitter.value_of(part.reg), type,
                    kind);
    }
    return;
  }
  const Place place = lowering.module.places.of(*store.getPointerOperand());
  Place origin = lowering.module.places.of(*source.load->getPointerOperand());
  origin.offset += source.offset;
  std::vector<Part> parts;
  if (place.owner == Owner::kPrivate) {
    parts = smallest_parts(origin, bytes);
  } else {
    parts = parts_of(place, bytes);
    if (parts.empty() && bytes <= 8) parts.push_back({0, bytes});
    if (parts.empty()) parts = smallest_parts(origin, bytes);
  }
  for (const Part& part : parts) {
    const Type type{static_cast<std::uint8_t>(part.bytes * 8), false};
    const ExprId from = build.plus(*copied.deferred_from, static_cast<Value>(source.offset) + part.offset);
    const RegisterId moved = emitter.load(from, type, kind);
    emitter.store(build.plus(target, part.offset), emitter.value_of(moved), type, kind);
  }
}

std::string wide_type_text(llvm::Type* type) {
  if (type->isX86_FP80Ty() || type->isFP128Ty()) return "long double";
  if (type->isIntegerTy()) return fmt::format("an integer of {} bits", type->getIntegerBitWidth());
  return "a value of this type";
}

constexpr const char* kTypesHint = "integers of up to 64 bits, pointers, float and double are supported";

}  // namespace

Order order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::Acquire: return Order::kAcquire;
    case llvm::AtomicOrdering::Release: return Order::kRelease;
    case llvm::AtomicOrdering::AcquireRelease: return Order::kAcquireRelease;
    case llvm::AtomicOrdering::SequentiallyConsistent: return Order::kSequential;
    default: return Order::kRelaxed;
  }
}

namespace {

// The load of a write to a bit field, by clang's name for it: the bits around the field go back as they are.
bool keeps_other_bits(const llvm::LoadInst& load) {
  if (!load.getName().starts_with("bf.load") || load.isAtomic() || !load.hasOneUse()) return false;
  const auto* kept = llvm::dyn_cast<llvm::BinaryOperator>(load.user_back());
  if (kept == nullptr || kept->getOpcode() != llvm::Instruction::And) return false;
  const auto goes_back = [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store != nullptr && store->getPointerOperand() == load.getPointerOperand();
  };
  return llvm::all_of(kept->users(), [&](const llvm::User* user) {
    const auto* combined = llvm::dyn_cast<llvm::BinaryOperator>(user);
    const bool is_or = combined != nullptr && combined->getOpcode() == llvm::Instruction::Or;
    return goes_back(user) || (is_or && llvm::any_of(combined->users(), goes_back));
  });
}

// Where they are not initialised, they become 0.
void load_other_bits(FunctionLowering& lowering, const llvm::LoadInst& load, Type type) {
  Expressions& build = lowering.build;
  const ExprId address = lowering.use(*load.getPointerOperand());
  const RegisterId loaded = lowering.emitter.load(address, type, {.copies = true});
  const ExprId bits = lowering.emitter.value_of(loaded);
  const ExprId initialised = build.compare(ExprOp::kNe, bits, build.constant(kUninitialised, kInt64));
  lowering.define(load, build.select(initialised, build.cast(bits, type), build.constant(0, type)));
}

}  // namespace

void lower_load(FunctionLowering& lowering, const llvm::LoadInst& load) {
  const auto leaves = lowering.leaves(load.getType());
  if (!leaves)
    return lowering.unsupported(load, "a load of " + wide_type_text(load.getType()) + " is not supported", kTypesHint);
  if (keeps_other_bits(load) && load.getType()->getIntegerBitWidth() % 8 == 0)
    return load_other_bits(lowering, load, *scalar_type(load.getType()));
  if (is_copied(lowering, load)) return load_to_be_stored(lowering, load);
  Access access(lowering, *load.getPointerOperand(), {order_of(load.getOrdering()), !load.isAtomic()});
  Scalars scalars;
  if (leaves->size() == 1) {
    const RegisterId reg = lowering.result_register(load);
    scalars.push_back(access.load(leaves->front().offset, leaves->front().type, reg));
  } else {
    access.keep_address();
    for (const Leaf& leaf : *leaves) scalars.push_back(access.load(leaf.offset, leaf.type, {}));
  }
  lowering.define(load, std::move(scalars));
}

void lower_store(FunctionLowering& lowering, const llvm::StoreInst& store) {
  const llvm::Value& stored = *store.getValueOperand();
  const auto leaves = lowering.leaves(stored.getType());
  if (!leaves)
    return lowering.unsupported(store, "a store of " + wide_type_text(stored.getType()) + " is not supported",
                                kTypesHint);
  if (const CopySource source = copy_source(lowering, stored); source.load != nullptr)
    return store_copy(lowering, store, source);
  const Scalars values = lowering.use_all(stored);
  Access access(lowering, *store.getPointerOperand(), {order_of(store.getOrdering()), !store.isAtomic()});
  if (leaves->size() > 1) access.keep_address();
  for (std::size_t i = 0; i < leaves->size() && i < values.size(); ++i)
    if (!access.store((*leaves)[i].offset, (*leaves)[i].type, values[i]))
      return lowering.unsupported(store, "this writes a part of a shared variable that is otherwise accessed as a whole",
                                  "access it always with the same type");
}

// --- Read-modify-write
// --------------------------------------------------------------------------------------

namespace {

std::optional<RmwOp> rmw_op(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Xchg: return RmwOp::kExchange;
    case llvm::AtomicRMWInst::Add: return RmwOp::kAdd;
    case llvm::AtomicRMWInst::Sub: return RmwOp::kSub;
    case llvm::AtomicRMWInst::And: return RmwOp::kBitAnd;
    case llvm::AtomicRMWInst::Nand: return RmwOp::kBitNand;
    case llvm::AtomicRMWInst::Or: return RmwOp::kBitOr;
    case llvm::AtomicRMWInst::Xor: return RmwOp::kBitXor;
    case llvm::AtomicRMWInst::Max: return RmwOp::kMax;
    case llvm::AtomicRMWInst::Min: return RmwOp::kMin;
    case llvm::AtomicRMWInst::UMax: return RmwOp::kUnsignedMax;
    case llvm::AtomicRMWInst::UMin: return RmwOp::kUnsignedMin;
    default: return std::nullopt;
  }
}

// What the rarer operations leave in memory.
std::optional<ExprId> updated(Expressions& build, llvm::AtomicRMWInst::BinOp operation, ExprId old, ExprId operand) {
  const Type type = build.type(old);
  const auto unsigned_less = [&](ExprId a, ExprId b) {
    return build.compare(ExprOp::kLt, build.as_unsigned(a), build.as_unsigned(b));
  };
  const ExprId zero = build.constant(0, type), one = build.constant(1, type);
  switch (operation) {
    case llvm::AtomicRMWInst::FAdd: return build.binary(ExprOp::kFloatAdd, old, operand);
    case llvm::AtomicRMWInst::FSub: return build.binary(ExprOp::kFloatSub, old, operand);
    case llvm::AtomicRMWInst::FMax:
      return build.select(build.compare(ExprOp::kFloatLt, old, operand), operand, old);
    case llvm::AtomicRMWInst::FMin:
      return build.select(build.compare(ExprOp::kFloatLt, operand, old), operand, old);
    case llvm::AtomicRMWInst::UIncWrap:
      return build.select(unsigned_less(old, operand), build.binary(ExprOp::kAdd, old, one), zero);
    case llvm::AtomicRMWInst::UDecWrap: {
      const ExprId outside = build.either(build.compare(ExprOp::kEq, old, zero), unsigned_less(operand, old));
      return build.select(outside, operand, build.binary(ExprOp::kSub, old, one));
    }
    default: return std::nullopt;
  }
}

// The cell must be as wide as the update; there is no taking apart.
bool hits_whole_cell(const Access& access, Type type) { return access.parts_at(0, type.bits / 8).empty(); }

constexpr const char* kPartMessage = "an atomic update of a part of a shared variable is not supported";

}  // namespace

void lower_update(FunctionLowering& lowering, const llvm::AtomicRMWInst& update) {
  const auto type = scalar_type(update.getType());
  if (!type || type->bits % 8 != 0)
    return lowering.unsupported(update, "an atomic update of " + wide_type_text(update.getType()) + " is not supported",
                                kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId operand = lowering.use(*update.getValOperand());
  Access access(lowering, *update.getPointerOperand(), {});
  if (!hits_whole_cell(access, *type)) return lowering.unsupported(update, kPartMessage);
  if (const auto op = rmw_op(update.getOperation())) {
    const RegisterId result = lowering.plan.used(update) ? lowering.result_register(update) : RegisterId();
    return emitter.emit({.op = Opcode::kRmw,
                         .order = order_of(update.getOrdering()),
                         .rmw = *op,
                         .type = *type,
                         .result = result,
                         .a = access.at(0),
                         .b = operand});
  }
  access.keep_address();
  const ExprId kept = emitter.in_register(operand);
  bool known = true;
  lowering.atomically("updates", [&] {
    const RegisterId old = lowering.result_register(update);
    emitter.load(access.at(0), *type, {.plain = false}, old);
    const auto next = updated(lowering.build, update.getOperation(), emitter.value_of(old), kept);
    known = next.has_value();
    if (known) emitter.store(access.at(0), *next, *type, {.plain = false});
  });
  if (!known) lowering.unsupported(update, "this atomic operation is not supported");
}

void lower_compare_exchange(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange) {
  const auto type = scalar_type(exchange.getNewValOperand()->getType());
  if (!type || type->bits % 8 != 0)
    return lowering.unsupported(
        exchange,
        "compare-exchange of " + wide_type_text(exchange.getNewValOperand()->getType()) + " is not supported",
        kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId expected = emitter.in_register(lowering.use(*exchange.getCompareOperand()));
  const ExprId desired = lowering.use(*exchange.getNewValOperand());
  Access access(lowering, *exchange.getPointerOperand(), {});
  if (!hits_whole_cell(access, *type)) return lowering.unsupported(exchange, kPartMessage);
  const RegisterId old = lowering.plan.used(exchange) ? emitter.fresh(*type) : RegisterId();
  emitter.emit({.op = Opcode::kRmw,
                .order = order_of(exchange.getSuccessOrdering()),
                .rmw = RmwOp::kCompareExchange,
                .type = *type,
                .result = old,
                .a = access.at(0),
                .b = desired,
                .c = expected});
  if (!old) return;
  const ExprId found = emitter.value_of(old);
  lowering.define(exchange, Scalars{found, lowering.build.compare(ExprOp::kEq, found, expected)});
}

void lower_fence(FunctionLowering& lowering, const llvm::FenceInst& fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
  switch (fence.getOrdering()) {
    case llvm::AtomicOrdering::SequentiallyConsistent:
      return lowering.emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
    case llvm::AtomicOrdering::Release:
    case llvm::AtomicOrdering::AcquireRelease:
      return lowering.emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kStoreStore});
    default: return;
  }
}

}  // namespace weir::c
