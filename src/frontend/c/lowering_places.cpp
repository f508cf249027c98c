#include "frontend/c/lowering_places.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <vector>

#include "frontend/c/names.hpp"

namespace weir::c {

// From a pointer to where it comes from.
struct Places::Path {
  const llvm::Value* base = nullptr;
  std::int64_t offset = 0;        // of the pointer from the base
  llvm::Type* used_as = nullptr;  // the structure or array nearest to the base on the way, if there is one
  std::int64_t offset_in_it = 0;
};

namespace {

std::int64_t constant_offset(const llvm::GEPOperator& gep, const llvm::DataLayout& data) {
  std::int64_t offset = 0;
  for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* structure = step.getStructTypeOrNull())
      offset += static_cast<std::int64_t>(
          data.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(index->getZExtValue())));
    else if (index != nullptr)
      offset += index->getSExtValue() * static_cast<std::int64_t>(step.getSequentialElementStride(data));
  }
  return offset;
}

bool is_aggregate(const llvm::Type* type) { return type->isStructTy() || type->isArrayTy(); }

// The pointer that this one only passes on, or null.
const llvm::Value* passed_on(const llvm::Value& pointer) {
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastOperator>(&pointer)) return cast->getOperand(0);
  if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&pointer)) return freeze->getOperand(0);
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&pointer)) return alias->getAliasee();
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&pointer))
    if (call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) return call->getArgOperand(0);
  return nullptr;
}

}  // namespace

Places::Path Places::path_to(const llvm::Value& pointer) const {
  Path path{.base = &pointer};
  while (true) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(path.base)) {
      path.offset += constant_offset(*gep, layouts_.data());
      if (is_aggregate(gep->getSourceElementType())) {
        path.used_as = gep->getSourceElementType();
        path.offset_in_it = path.offset;
      }
      path.base = gep->getPointerOperand();
    } else if (const llvm::Value* next = passed_on(*path.base)) {
      path.base = next;
    } else {
      return path;
    }
  }
}

Place Places::of(const llvm::Value& pointer) {
  if (!pointer.getType()->isPointerTy()) return {};
  const Path path = path_to(pointer);
  if (llvm::isa<llvm::AllocaInst>(path.base) || llvm::isa<llvm::GlobalVariable>(path.base)) {
    Place place = of_variable(*path.base, path.offset);
    // Clang's name for the only member of a structure that is passed in its place.
    place.stands_for_another |= pointer.getName().starts_with("coerce.dive");
    return place;
  }
  if (llvm::isa<llvm::Constant>(path.base)) return {};
  if (path.used_as != nullptr && path.used_as->isSized() && path.offset_in_it >= 0)
    return {.layout = &layouts_.of(path.used_as), .offset = static_cast<std::uint64_t>(path.offset_in_it)};
  if (path.offset < 0) return {};
  return {.layout = layout_in_use(*path.base), .offset = static_cast<std::uint64_t>(path.offset)};
}

Place Places::of_variable(const llvm::Value& variable, std::int64_t offset) {
  Place place{.variable = &variable};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&variable)) {
    const Global& known = globals_.look_at(*global);
    place.owner = known.is_private ? Owner::kPrivate : known.is_block ? Owner::kBlock : Owner::kGlobal;
    place.layout = &known.layout;
  } else {
    const auto& local = llvm::cast<llvm::AllocaInst>(variable);
    place.owner = private_allocas_.contains(&local) ? Owner::kPrivate : Owner::kBlock;
    place.layout = &layout_of(local);
    place.stands_for_another = !is_declared_type(local.getAllocatedType());
  }
  if (offset < 0) place.layout = nullptr;
  place.offset = offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
  return place;
}

const TypeLayout& Places::layout_of(const llvm::AllocaInst& variable) {
  llvm::Type* type = variable.getAllocatedType();
  if (is_declared_type(type)) return layouts_.of(type);
  const auto [entry, is_new] = stand_ins_.try_emplace(&variable);
  if (is_new) entry->second = layout_of_partner(variable).value_or(layouts_.of(type));
  return entry->second;
}

std::optional<TypeLayout> Places::layout_of_partner(const llvm::AllocaInst& variable) {
  for (const llvm::User* user : variable.users()) {
    const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
    const auto* bytes = copy == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (bytes == nullptr) continue;
    const llvm::Value& partner =
        copy->getRawDest() == &variable ? *copy->getRawSource() : *copy->getRawDest();
    const auto* other = llvm::dyn_cast<llvm::AllocaInst>(&partner);
    if (other != nullptr && !is_declared_type(other->getAllocatedType())) continue;
    const Place place = of(partner);
    if (place.layout == nullptr || place.layout->too_big || place.stands_for_another) continue;
    TypeLayout layout{.size = bytes->getZExtValue()};
    layout.runs = place.layout->slice(place.offset, place.offset + layout.size);
    for (CellRun& run : layout.runs) {
      if (run.offset < place.offset || run.end() > place.offset + layout.size) return std::nullopt;
      run.offset -= place.offset;
    }
    return layout;
  }
  return std::nullopt;
}

const TypeLayout* Places::layout_in_use(const llvm::Value& pointer) {
  const auto known = in_use_.find(&pointer);
  if (known != in_use_.end()) return known->second;
  const TypeLayout* found = search(pointer);
  in_use_.emplace(&pointer, found);
  return found;
}

// The pointer, and those it is merged with or passed on to. Structures first: they say most.
const TypeLayout* Places::search(const llvm::Value& pointer) {
  constexpr std::size_t kMostPointers = 32;
  std::vector<const llvm::Value*> same{&pointer};
  const auto add = [&](const llvm::Value* value) {
    if (value == nullptr || llvm::isa<llvm::Constant>(value) || same.size() >= kMostPointers) return;
    if (std::find(same.begin(), same.end(), value) == same.end()) same.push_back(value);
  };
  for (std::size_t i = 0; i < same.size(); ++i) {
    const llvm::Value& value = *same[i];
    if (const auto* merge = llvm::dyn_cast<llvm::PHINode>(&value))
      for (const llvm::Value* incoming : merge->incoming_values()) add(incoming);
    if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      add(choice->getTrueValue());
      add(choice->getFalseValue());
    }
    add(passed_on(value));
    for (const llvm::User* user : value.users())
      if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
          llvm::isa<llvm::FreezeInst>(user))
        add(user);
  }
  for (const llvm::Value* value : same)
    if (const TypeLayout* layout = from_uses(*value)) return layout;
  for (const llvm::Value* value : same)
    if (const TypeLayout* layout = layout_of(declared_pointee(*value, 0), value->getContext())) return layout;
  for (const llvm::Value* value : same)
    if (const TypeLayout* layout = from_accesses(*value)) return layout;
  return nullptr;
}

const TypeLayout* Places::from_uses(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user);
    if (gep == nullptr || gep->getPointerOperand() != &pointer) continue;
    llvm::Type* source = gep->getSourceElementType();
    if (source->isStructTy() && source->isSized()) return &layouts_.of(source);
  }
  return nullptr;
}

// An array if it is indexed, otherwise one scalar and perhaps something else behind it.
const TypeLayout* Places::from_accesses(const llvm::Value& pointer) {
  llvm::Type* accessed = nullptr;
  for (const llvm::User* user : pointer.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) accessed = load->getType();
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store != nullptr && store->getPointerOperand() == &pointer)
      accessed = store->getValueOperand()->getType();
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user);
    if (gep == nullptr || gep->getPointerOperand() != &pointer) continue;
    llvm::Type* element = gep->getSourceElementType();
    const bool counts_bytes = element->isIntegerTy(8);
    if (!counts_bytes && element->isSized() && is_declared_type(element)) return &layouts_.of(element);
  }
  if (accessed == nullptr || !scalar_type(accessed)) return nullptr;
  TypeLayout& layout = made_.emplace_back(layouts_.of(accessed));
  layout.repeats = false;
  return &layout;
}

const llvm::DIType* Places::declared_pointee(const llvm::Value& pointer, unsigned depth) {
  if (depth > 4) return nullptr;
  if (const auto* variable = variable_of(pointer))
    if (const llvm::DIType* pointee = pointee_of(variable->getType())) return pointee;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&pointer))
    return pointee_of(declared_type(*load->getPointerOperand(), depth + 1));
  return nullptr;
}

// Of what is stored at that address.
const llvm::DIType* Places::declared_type(const llvm::Value& address, unsigned depth) {
  const Path path = path_to(address);
  const llvm::Value* base = path.base;
  const llvm::DIType* type = nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    const auto* variable = variable_of(*global);
    type = variable == nullptr ? nullptr : variable->getType();
  } else if (llvm::isa<llvm::AllocaInst>(base)) {
    const auto* variable = variable_of(*base);
    type = variable == nullptr ? nullptr : variable->getType();
  } else {
    type = declared_pointee(*base, depth + 1);
  }
  if (type == nullptr || path.offset < 0) return nullptr;
  return type_at(type, static_cast<std::uint64_t>(path.offset));
}

// A structure that the module does not mention by name.
const TypeLayout* Places::layout_of_record(const llvm::DICompositeType& type) {
  const auto [entry, is_new] = records_.try_emplace(&type);
  if (is_new) {
    const auto scalars = scalars_of(&type);
    if (!scalars || scalars->empty()) return nullptr;
    TypeLayout& layout = made_.emplace_back();
    layout.size = type.getSizeInBits() / 8;
    for (const auto& [offset, bytes] : *scalars) layout.runs.push_back({offset, bytes, bytes});
    entry->second = &layout;
  }
  return entry->second;
}

const TypeLayout* Places::layout_of(const llvm::DIType* type, llvm::LLVMContext& context) {
  type = without_qualifiers(type);
  if (type == nullptr) return nullptr;
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type)
    return layout_of(composite->getBaseType(), context);
  if (composite != nullptr && composite->getTag() != llvm::dwarf::DW_TAG_enumeration_type) {
    for (const char* kind : {"struct.", "union.", "class."})
      if (auto* found = llvm::StructType::getTypeByName(context, kind + type->getName().str()))
        if (found->isSized() && layouts_.data().getTypeAllocSizeInBits(found) == type->getSizeInBits())
          return &layouts_.of(found);
    return layout_of_record(*composite);
  }
  const std::uint64_t bits = type->getSizeInBits();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return nullptr;
  return &layouts_.of(llvm::Type::getIntNTy(context, static_cast<unsigned>(bits)));
}

}  // namespace weir::c
