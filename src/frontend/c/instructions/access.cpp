#include "frontend/c/instructions/access.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/instructions/structures.hpp"
#include "frontend/c/layout/bit_fields.hpp"
#include "frontend/c/layout/wide_accesses.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/parts.hpp"

namespace weir::c {

namespace {

constexpr const char* kSeveralMessage = "an atomic access to several variables at once is not supported";

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
  bool hits_shared_wide_number(const std::vector<Leaf>& leaves) const {
    return place_.owner != Owner::kPrivate &&
           std::ranges::any_of(leaves, [](const Leaf& leaf) { return leaf.type->isIntegerTy(64); });
  }

  // One scalar at `offset` from the pointer. `result`: the register to use, if that is possible.
  ExprId load(std::uint64_t offset, llvm::Type* type, RegisterId result) {
    const Type cell = *cell_type(type, lowering_.data());
    const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
    if (!parts.empty()) return lowering_.as_loaded(combine(offset, parts, cell), *type);
    if (result && emitter_.graph.registers[result.index()].type == cell)
      return emitter_.value_of(emitter_.load(at(offset), cell, kind_, result));
    return lowering_.as_loaded(emitter_.value_of(emitter_.load(at(offset), cell, kind_)), *type);
  }

  // False: only a part of a shared cell would change.
  bool store(std::uint64_t offset, llvm::Type* type, ExprId value) {
    const Type cell = *cell_type(type, lowering_.data());
    const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
    value = lowering_.as_stored(value, *type);
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
      emitter_.store(at(offset + static_cast<std::uint64_t>(part.offset)), build_.cast(shifted, piece), piece,
                     kind_);
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
    if (!is_split(place, parts, bytes) || (!kind_.plain && place.owner != Owner::kGlobal)) parts.clear();
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
      moved = part.offset >= 0 ? build_.binary(ExprOp::kShl, moved, build_.constant(part.offset * 8, wide))
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

// The load of a write to a bit-field: bits that are not initialised are all 0, or all 1 where somebody reads
// them.
void load_other_bits(FunctionLowering& lowering, const llvm::LoadInst& load, Type type, std::uint64_t kept) {
  Expressions& build = lowering.build;
  Emitter& emitter = lowering.emitter;
  const ExprId address = lowering.use(*load.getPointerOperand());
  const ExprId bits = emitter.value_of(emitter.load(address, type, {.copies = true}));
  const ExprId initialised = build.compare(ExprOp::kNe, bits, build.constant(kUninitialised, kInt64));
  const std::uint64_t unknown = kept & lowering.module.bit_field_reads.bits(type.bits);
  if (unknown == 0)
    return lowering.define(load, build.select(initialised, build.cast(bits, type), build.constant(0, type)));
  lowering.module.assume("a bit-field that is not initialised has bits that are all 0 or all 1");
  const RegisterId result = emitter.fresh(type), ones = emitter.fresh(type);
  emitter.assign(ones, build.constant(0, type));
  emitter.when(build.negation(initialised), [&] {
    emitter.emit({.op = Opcode::kChoose,
                  .result = ones,
                  .low = 0,
                  .high = 1,
                  .message = "bits that are not initialised are ones"});
  });
  const ExprId all = build.constant(static_cast<Value>(unknown), type);
  const ExprId chosen =
      build.select(build.compare(ExprOp::kNe, emitter.value_of(ones), build.constant(0, type)), all,
                   build.constant(0, type));
  emitter.assign(result, build.select(initialised, build.cast(bits, type), chosen));
  lowering.define(load, emitter.value_of(result));
}

}  // namespace

std::string type_in_words(llvm::Type* type) {
  if (type->isX86_FP80Ty() || type->isFP128Ty()) return "long double";
  if (type->isIntegerTy()) return fmt::format("an integer of {} bits", type->getIntegerBitWidth());
  return "a value of this type";
}

Order order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::Acquire: return Order::kAcquire;
    case llvm::AtomicOrdering::Release: return Order::kRelease;
    case llvm::AtomicOrdering::AcquireRelease: return Order::kAcquireRelease;
    case llvm::AtomicOrdering::SequentiallyConsistent: return Order::kSequential;
    default: return Order::kRelaxed;
  }
}

void lower_load(FunctionLowering& lowering, const llvm::LoadInst& load) {
  const auto leaves = lowering.leaves(load.getType());
  if (!leaves)
    return lowering.unsupported(load, "a load of " + type_in_words(load.getType()) + " is not supported",
                                kTypesHint);
  const auto scalar = scalar_type(load.getType());
  if (const auto kept = kept_bits(load); kept && scalar->bits % 8 == 0)
    return load_other_bits(lowering, load, *scalar, *kept);
  require_aligned(lowering, *load.getPointerOperand(), load.getAlign().value());
  if (is_copied(lowering, load)) return load_to_be_stored(lowering, load);
  Access access(lowering, *load.getPointerOperand(), {order_of(load.getOrdering()), !load.isAtomic()});
  if (load.isAtomic() && access.parts_at(0, lowering.data().getTypeStoreSize(load.getType())).size() > 1)
    return lowering.unsupported(load, kSeveralMessage);
  if (access.hits_shared_wide_number(*leaves)) note_wide_access(lowering, load);
  Scalars scalars;
  if (leaves->size() == 1) {
    const bool keeps_width = scalar && cell_type(load.getType(), lowering.data())->bits == scalar->bits;
    const RegisterId reg = keeps_width ? lowering.result_register(load) : RegisterId();
    scalars.push_back(access.load(leaves->front().offset, leaves->front().type, reg));
  } else {
    access.keep_address();
    for (const Leaf& leaf : *leaves) scalars.push_back(access.load(leaf.offset, leaf.type, {}));
  }
  lowering.define(load, std::move(scalars));
  require_inside_arrays(lowering, *load.getPointerOperand());
}

void lower_store(FunctionLowering& lowering, const llvm::StoreInst& store) {
  const llvm::Value& stored = *store.getValueOperand();
  const auto leaves = lowering.leaves(stored.getType());
  if (!leaves)
    return lowering.unsupported(store, "a store of " + type_in_words(stored.getType()) + " is not supported",
                                kTypesHint);
  require_aligned(lowering, *store.getPointerOperand(), store.getAlign().value());
  if (store_what_was_loaded(lowering, store)) return;
  const Scalars values = lowering.use_all(stored);
  Access access(lowering, *store.getPointerOperand(), {order_of(store.getOrdering()), !store.isAtomic()});
  if (store.isAtomic() && access.parts_at(0, lowering.data().getTypeStoreSize(stored.getType())).size() > 1)
    return lowering.unsupported(store, kSeveralMessage);
  if (access.hits_shared_wide_number(*leaves)) note_wide_access(lowering, store);
  if (leaves->size() > 1) access.keep_address();
  for (std::size_t i = 0; i < leaves->size() && i < values.size(); ++i)
    if (!access.store((*leaves)[i].offset, (*leaves)[i].type, values[i]))
      return lowering.unsupported(
          store, "this writes a part of a shared variable that is otherwise accessed as a whole",
          "access it always with the same type");
  require_inside_arrays(lowering, *store.getPointerOperand());
}

}  // namespace weir::c
