#include "frontend/c/lowering/places.hpp"

#include <algorithm>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <vector>

#include "frontend/c/names.hpp"

namespace weir::c {

// From where a pointer comes to the pointer.
struct Places::Path {
  const llvm::Value* base = nullptr;
  std::vector<const llvm::GEPOperator*> steps;  // from the base on
};

namespace {

// Is there an array with elements of that size at this offset within the type? Then any of its elements is as
// good as the first one.
bool has_array_at(llvm::Type* type, std::uint64_t offset, std::uint64_t stride,
                  const llvm::DataLayout& data) {
  if (offset == 0 && data.getTypeAllocSize(type) == stride) return true;  // the whole is an element
  while (true) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout* layout = data.getStructLayout(structure);
      if (structure->getNumElements() == 0 || offset >= layout->getSizeInBytes()) return false;
      const unsigned field = layout->getElementContainingOffset(offset);
      offset -= layout->getElementOffset(field);
      type = structure->getElementType(field);
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const std::uint64_t size = data.getTypeAllocSize(array->getElementType());
      if (size == stride) return true;
      if (size == 0) return false;
      offset %= size;
      type = array->getElementType();
    } else {
      return false;
    }
  }
}

// How far an index goes, modulo 2^64.
std::uint64_t distance(const llvm::ConstantInt& index, std::uint64_t stride) {
  return index.getValue().sextOrTrunc(64).getZExtValue() * stride;
}

// The offset of a pointer within memory of some type; indices of arrays count as 0.
class OffsetWithin {
 public:
  OffsetWithin(llvm::Type* type, const llvm::DataLayout& data) : type_(type), data_(data) {}

  // False if it cannot be said any more.
  bool follow(const llvm::GEPOperator& gep) {
    for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
      if (llvm::StructType* structure = step.getStructTypeOrNull()) {
        const auto field = static_cast<unsigned>(index->getZExtValue());
        offset_ += data_.getStructLayout(structure)->getElementOffset(field);
        continue;
      }
      const std::uint64_t stride = step.getSequentialElementStride(data_);
      if (index != nullptr)
        offset_ += distance(*index, stride);
      else if (offset() < 0 || !has_array_at(type_, offset_, stride, data_))
        return false;
    }
    return true;
  }

  std::int64_t offset() const { return static_cast<std::int64_t>(offset_); }

 private:
  llvm::Type* type_;
  const llvm::DataLayout& data_;
  std::uint64_t offset_ = 0;  // wraps around, as addresses do
};

// Elements of arrays are all alike; an index that counts bytes is none of an array.
std::optional<std::int64_t> constant_offset(const llvm::GEPOperator& gep, const llvm::DataLayout& data) {
  std::uint64_t offset = 0;
  for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* structure = step.getStructTypeOrNull())
      offset +=
          data.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(index->getZExtValue()));
    else if (index != nullptr)
      offset += distance(*index, step.getSequentialElementStride(data));
    else if (gep.getSourceElementType()->isIntegerTy(8))
      return std::nullopt;
  }
  return static_cast<std::int64_t>(offset);
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

Places::Path Places::path_to(const llvm::Value& pointer) {
  Path path{.base = &pointer};
  while (true) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(path.base)) {
      path.steps.push_back(gep);
      path.base = gep->getPointerOperand();
    } else if (const llvm::Value* next = passed_on(*path.base)) {
      path.base = next;
    } else {
      std::reverse(path.steps.begin(), path.steps.end());
      return path;
    }
  }
}

std::optional<std::int64_t> Places::offset_within(llvm::Type* type, const Path& path,
                                                  std::size_t first) const {
  OffsetWithin offset(type, layouts_.data());
  for (std::size_t i = first; i < path.steps.size(); ++i)
    if (!offset.follow(*path.steps[i])) return std::nullopt;
  return offset.offset();
}

Place Places::of(const llvm::Value& pointer) {
  if (!pointer.getType()->isPointerTy()) return {};
  const Path path = path_to(pointer);
  if (llvm::isa<llvm::AllocaInst>(path.base) || llvm::isa<llvm::GlobalVariable>(path.base)) {
    Place place = of_variable(*path.base, path);
    // Clang's name for the only member of a structure that is passed in its place.
    place.stands_for_another |= pointer.getName().starts_with("coerce.dive");
    return place;
  }
  if (llvm::isa<llvm::Constant>(path.base)) return {};
  // A structure or array that the memory is used as, or whatever the base is said to point to.
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    llvm::Type* type = path.steps[i]->getSourceElementType();
    if (!is_aggregate(type) || !type->isSized()) continue;
    const auto offset = offset_within(type, path, i);
    if (!offset || *offset < 0) return {};
    return {.layout = &layouts_.of(type), .offset = static_cast<std::uint64_t>(*offset)};
  }
  return beyond_base(path);
}

// No structure in sight: at a constant distance from the base, or at an index of an array of scalars.
Place Places::beyond_base(const Path& path) {
  std::int64_t offset = 0;
  for (const llvm::GEPOperator* step : path.steps) {
    if (!step->hasAllConstantIndices()) {
      llvm::Type* element = step->getSourceElementType();
      const TypeLayout* declared = layout_in_use(*path.base);
      const bool is_array = path.steps.size() == 1 && scalar_type(element) && declared != nullptr &&
                            declared->size == layouts_.of(element).size;
      return {.layout = is_array ? declared : nullptr};
    }
    offset += *constant_offset(*step, layouts_.data());
  }
  if (offset < 0) return {};
  return {.layout = layout_in_use(*path.base), .offset = static_cast<std::uint64_t>(offset)};
}

Place Places::of_variable(const llvm::Value& variable, const Path& path) {
  Place place{.variable = &variable};
  llvm::Type* type = nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&variable)) {
    const Global& known = globals_.look_at(*global);
    place.owner = known.is_private ? Owner::kPrivate : known.is_block ? Owner::kBlock : Owner::kGlobal;
    place.layout = &known.layout;
    type = known.type;
  } else {
    const auto& local = llvm::cast<llvm::AllocaInst>(variable);
    place.owner = private_allocas_.contains(&local) ? Owner::kPrivate : Owner::kBlock;
    place.layout = &layout_of(local);
    place.stands_for_another = !is_declared_type(local.getAllocatedType());
    type = local.getAllocatedType();
  }
  const auto offset = type == nullptr ? std::nullopt : offset_within(type, path, 0);
  if (!offset || *offset < 0) place.layout = nullptr;
  place.offset = offset && *offset > 0 ? static_cast<std::uint64_t>(*offset) : 0;
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
  const llvm::DIType* type = nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(path.base)) {
    const auto* variable = variable_of(*global);
    type = variable == nullptr ? nullptr : variable->getType();
  } else if (llvm::isa<llvm::AllocaInst>(path.base)) {
    const auto* variable = variable_of(*path.base);
    type = variable == nullptr ? nullptr : variable->getType();
  } else {
    type = declared_pointee(*path.base, depth + 1);
  }
  std::int64_t offset = 0;
  for (const llvm::GEPOperator* step : path.steps) {
    const auto bytes = constant_offset(*step, layouts_.data());
    if (!bytes) return nullptr;
    offset += *bytes;
  }
  return type == nullptr || offset < 0 ? nullptr : type_at(type, static_cast<std::uint64_t>(offset));
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
