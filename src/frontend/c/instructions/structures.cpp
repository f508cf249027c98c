#include "frontend/c/instructions/structures.hpp"

#include <algorithm>

#include "frontend/c/instructions/external.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/parts.hpp"

namespace weir::c {

namespace {

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

}  // namespace

bool is_copied(FunctionLowering& lowering, const llvm::LoadInst& load) {
  if (load.isAtomic() || load.isVolatile()) return false;
  const Place place = lowering.module.places.of(*load.getPointerOperand());
  if (place.layout == nullptr || place.layout->too_big) return false;
  const std::uint64_t bytes = lowering.data().getTypeStoreSize(load.getType());
  const std::vector<Part> parts = parts_of(place, bytes);
  bool apart = parts.size() > 1 && is_split(place, parts, bytes);
  if (place.owner == Owner::kPrivate) {
    const bool in_bounds = place.offset + bytes <= place.layout->size;
    apart = place.stands_for_another || (in_bounds && (parts.size() > 1 || is_seen_otherwise(place, bytes)));
  }
  return apart && !stores_of(load).empty();
}

namespace {

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
  for (const llvm::Instruction* i = load.getNextNode(); i != nullptr && ++distance < kFarthest;
       i = i->getNextNode()) {
    if (std::find(stores.begin(), stores.end(), i) != stores.end() && --left == 0) return true;
    if (!i->mayWriteToMemory()) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(i)) {
      const llvm::Value* written = variable_behind(lowering, *store->getPointerOperand());
      if (written == nullptr || written == variable) return false;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(i);
               call == nullptr || !has_no_effect(*call)) {
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
  const bool known = place.layout != nullptr && !is_seen_otherwise(place, bytes);
  if (place.owner != Owner::kPrivate || (known && !parts.empty())) return parts;
  if (known && bytes <= 8) return {{0, bytes}};
  parts.clear();
  for (std::uint64_t i = 0; i < bytes; ++i) parts.push_back({static_cast<std::int64_t>(i), 1});
  return parts;
}

}  // namespace

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

namespace {

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

}  // namespace

bool store_what_was_loaded(FunctionLowering& lowering, const llvm::StoreInst& store) {
  const CopySource source = copy_source(lowering, *store.getValueOperand());
  if (source.load == nullptr) return false;
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
      emitter.store(build.plus(target, static_cast<Value>(part.offset - source.offset)),
                    emitter.value_of(part.reg), type, kind);
    }
    return true;
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
  return true;
}

}  // namespace weir::c
