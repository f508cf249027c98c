#include "frontend/c/instructions/access.hpp"

#include <fmt/format.h>

#include "frontend/c/instructions/cell_access.hpp"
#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/instructions/structures.hpp"
#include "frontend/c/instructions/wide_numbers.hpp"
#include "frontend/c/layout/bit_fields.hpp"
#include "frontend/c/layout/wide_accesses.hpp"
#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

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

// Newer processors have a plain load and store, too.
constexpr const char* kByExchange =
    "an atomic load or store of 16 bytes is a cmpxchg16b, which drains the store buffer";

// Volatile and atomic accesses happen as they are written.
template <class AccessInstruction>
Extent extent_of(const AccessInstruction& access) {
  return access.isAtomic() || access.isVolatile() ? Extent::kWhole : Extent::kCells;
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
  CellAccess access(lowering, *load.getPointerOperand(), {order_of(load.getOrdering()), !load.isAtomic()},
                    extent_of(load));
  if (access.hits_shared_wide_number(*leaves)) note_wide_access(lowering, load);
  Scalars scalars;
  const auto load_all = [&] {
    access.keep_address();
    for (const Leaf& leaf : *leaves) scalars.push_back(access.load(leaf.offset, leaf.type, {}));
  };
  if (load.isAtomic() && is_wide_number(load.getType())) {
    lowering.module.assume(kByExchange);
    lowering.atomically("loads", load_all);
  } else if (leaves->size() == 1) {
    const bool keeps_width = scalar && cell_type(load.getType(), lowering.data())->bits == scalar->bits;
    const RegisterId reg = keeps_width ? lowering.result_register(load) : RegisterId();
    scalars.push_back(access.load(leaves->front().offset, leaves->front().type, reg));
  } else {
    load_all();
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
  CellAccess access(lowering, *store.getPointerOperand(), {order_of(store.getOrdering()), !store.isAtomic()},
                    extent_of(store));
  if (access.hits_shared_wide_number(*leaves)) note_wide_access(lowering, store);
  if (leaves->size() > 1) access.keep_address();
  const auto store_all = [&] {
    for (std::size_t i = 0; i < leaves->size() && i < values.size(); ++i)
      if (!access.store((*leaves)[i].offset, (*leaves)[i].type, values[i])) return false;
    return true;
  };
  // As a locked instruction, all cells change at once; what clang makes of structures may be seen cell by cell.
  const bool is_locked = store.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent ||
                         (store.isAtomic() && is_wide_number(stored.getType()));
  const bool has_parts =
      leaves->size() > 1 || access.parts_at(0, lowering.data().getTypeStoreSize(stored.getType())).size() > 1;
  if (store.isAtomic() && is_wide_number(stored.getType())) lowering.module.assume(kByExchange);
  bool stores_cells = true;
  if (is_locked && has_parts)
    lowering.atomically("stores to several variables", [&] { stores_cells = store_all(); });
  else
    stores_cells = store_all();
  if (!stores_cells)
    return lowering.unsupported(
        store, "this writes a part of a shared variable that is otherwise accessed as a whole",
        "access it always with the same type");
  require_inside_arrays(lowering, *store.getPointerOperand());
}

}  // namespace weir::c
