#include "frontend/c/names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weir::c {

namespace {

using llvm::DICompositeType;
using llvm::DIDerivedType;
using llvm::DIType;

// LLVM's look-ups take values that could be changed; they do not change them.
llvm::Value* as_mutable(const llvm::Value& value) { return const_cast<llvm::Value*>(&value); }

const llvm::DILocalVariable* declared_variable(const llvm::Value& memory) {
  for (const auto* record : llvm::findDVRDeclares(as_mutable(memory))) return record->getVariable();
  for (const auto* call : llvm::findDbgDeclares(as_mutable(memory))) return call->getVariable();
  return nullptr;
}

// "count.addr.0.i12" is what passes made of "count".
std::string without_suffixes(llvm::StringRef name) {
  while (true) {
    const auto [head, tail] = name.rsplit('.');
    const llvm::StringRef number = tail.starts_with("i") ? tail.drop_front() : tail;
    const bool made_up = number.find_first_not_of("0123456789") == llvm::StringRef::npos || tail == "addr";
    if (head.empty() || tail.empty() || !made_up) return name.str();
    name = head;
  }
}

std::optional<bool> signedness(const DIType* type) {
  if (const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type)) {
    const unsigned encoding = basic->getEncoding();
    return encoding == llvm::dwarf::DW_ATE_signed || encoding == llvm::dwarf::DW_ATE_signed_char;
  }
  if (const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(type))
    if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type && composite->getBaseType() != nullptr)
      return signedness(without_qualifiers(composite->getBaseType()));
  if (llvm::isa_and_nonnull<DIDerivedType>(type)) return false;  // a pointer
  return std::nullopt;
}

bool is_record(const DICompositeType& type) {
  const unsigned tag = type.getTag();
  return tag == llvm::dwarf::DW_TAG_structure_type || tag == llvm::dwarf::DW_TAG_class_type ||
         tag == llvm::dwarf::DW_TAG_union_type;
}

std::uint64_t bytes_of_type(const DIType* type) {
  while (type != nullptr && type->getSizeInBits() == 0) {
    const auto* derived = llvm::dyn_cast<DIDerivedType>(type);
    if (derived == nullptr) return 0;
    type = derived->getBaseType();
  }
  return type == nullptr ? 0 : type->getSizeInBits() / 8;
}

class MemberSearch {
 public:
  MemberSearch(std::uint64_t bytes, bool is_array) : bytes_(bytes), is_array_(is_array) {}

  MemberName in(const DIType* type, std::uint64_t offset) const {
    type = without_qualifiers(type);
    if (const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(type)) {
      if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) return in_array(*composite, offset);
      if (is_record(*composite)) return in_record(*composite, offset);
    }
    const bool exact = offset == 0 && bytes_of_type(type) == bytes_;
    return {"", exact ? signedness(type) : std::nullopt, exact};
  }

 private:
  // All members that cover the place: several in a union and for bit fields.
  MemberName in_record(const DICompositeType& record, std::uint64_t offset) const {
    std::optional<MemberName> best;
    std::string bit_fields;
    for (const auto* element : record.getElements()) {
      const auto* member = llvm::dyn_cast<DIDerivedType>(element);
      if (member == nullptr || member->isStaticMember()) continue;
      if (member->isBitField()) {
        if (in_bits(*member, offset))
          bit_fields += (bit_fields.empty() ? "." : ",") + member->getName().str();
        continue;
      }
      const std::uint64_t start = member->getOffsetInBits() / 8;
      const std::uint64_t size = bytes_of_type(member);
      if (offset < start || offset + bytes_ > start + size) continue;
      MemberName found = in(member->getBaseType(), offset - start);
      if (!member->getName().empty() && member->getTag() == llvm::dwarf::DW_TAG_member)
        found.path = "." + member->getName().str() + found.path;
      if (!best || (found.exact && !best->exact)) best = std::move(found);
    }
    // As a whole: an atomic structure.
    if ((!best || !best->exact) && offset == 0 && bytes_of_type(&record) == bytes_)
      return {"", std::nullopt, true};
    if (best) return *best;
    if (!bit_fields.empty()) return {bit_fields, false, true};
    return {};
  }

  bool in_bits(const DIDerivedType& member, std::uint64_t offset) const {
    const std::uint64_t bit = member.getOffsetInBits();
    return bit >= offset * 8 && bit < (offset + bytes_) * 8;
  }

  MemberName in_array(const DICompositeType& array, std::uint64_t offset) const {
    const DIType* element = array.getBaseType();
    const std::uint64_t size = bytes_of_type(element);
    if (size == 0) return {};
    std::uint64_t index = offset / size;
    MemberName found = in(element, offset % size);
    const auto dimensions = array.getElements();
    const bool innermost = is_array_ && found.path.empty() && found.exact;
    std::string indices;
    for (unsigned i = dimensions.size(); i-- > 0;) {
      const std::uint64_t count = count_of(dimensions[i]);
      const std::uint64_t here = count == 0 ? index : index % count;
      if (!(innermost && i + 1 == dimensions.size())) indices = fmt::format("[{}]", here) + indices;
      if (count != 0) index /= count;
    }
    found.path = indices + found.path;
    return found;
  }

  static std::uint64_t count_of(const llvm::DINode* dimension) {
    const auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(dimension);
    if (range == nullptr) return 0;
    const auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
    return count == nullptr || count->isNegative() ? 0 : count->getZExtValue();
  }

  std::uint64_t bytes_;
  bool is_array_;
};

constexpr std::size_t kEnough = 256;  // scalars that are looked at

void add_cuts(const DIType* type, std::uint64_t offset, ScalarPlaces& cuts) {
  type = without_qualifiers(type);
  const std::uint64_t bytes = bytes_of_type(type);
  if (type == nullptr || bytes == 0 || cuts.size() >= kEnough) return;
  const auto* composite = llvm::dyn_cast<DICompositeType>(type);
  if (composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const std::uint64_t size = bytes_of_type(composite->getBaseType());
    for (std::uint64_t at = 0; size != 0 && at < bytes && cuts.size() < kEnough; at += size)
      add_cuts(composite->getBaseType(), offset + at, cuts);
  } else if (composite != nullptr && is_record(*composite)) {
    for (const auto* element : composite->getElements()) {
      const auto* member = llvm::dyn_cast<DIDerivedType>(element);
      if (member == nullptr || member->isStaticMember()) continue;
      const std::uint64_t start = offset + member->getOffsetInBits() / 8;
      // A bit field is accessed with its neighbours, nobody says how: it overlaps with itself.
      for (int times = member->isBitField() ? 2 : 1; times > 0; --times)
        add_cuts(member->getBaseType(), start, cuts);
    }
  } else {
    cuts.emplace_back(offset, bytes);
  }
}

}  // namespace

std::optional<ScalarPlaces> scalars_of(const llvm::DIType* type) {
  ScalarPlaces places;
  add_cuts(type, 0, places);
  if (places.size() >= kEnough) return std::nullopt;
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i - 1].first + places[i - 1].second > places[i].first) return std::nullopt;
  return places;
}

const llvm::DILocalVariable* variable_of(const llvm::Value& value) {
  if (llvm::isa<llvm::AllocaInst>(value)) return declared_variable(value);
  if (llvm::isa<llvm::Constant>(value)) return nullptr;
  llvm::SmallVector<llvm::DbgValueInst*, 4> calls;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgValues(calls, as_mutable(value), &records);
  for (const auto* record : records)
    if (record->getExpression()->getNumElements() == 0) return record->getVariable();
  for (const auto* call : calls)
    if (call->getExpression()->getNumElements() == 0) return call->getVariable();
  return nullptr;
}

const llvm::DIGlobalVariable* variable_of(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  global.getDebugInfo(found);
  return found.empty() ? nullptr : found.front()->getVariable();
}

std::string name_of(const llvm::Value& value) {
  if (const auto* variable = variable_of(value)) return variable->getName().str();
  return value.hasName() ? without_suffixes(value.getName()) : "";
}

std::string name_of(const llvm::GlobalVariable& global) {
  const auto* variable = variable_of(global);
  if (variable != nullptr && !variable->getName().empty()) return variable->getName().str();
  return llvm::demangle(global.getName());
}

std::string name_of(const llvm::Function& function) {
  if (const auto* subprogram = function.getSubprogram();
      subprogram != nullptr && !subprogram->getName().empty())
    return subprogram->getName().str();
  return llvm::demangle(function.getName());
}

const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
      default: return type;
    }
  }
  return type;
}

const llvm::DIType* pointee_of(const llvm::DIType* type) {
  const auto* derived = llvm::dyn_cast_or_null<DIDerivedType>(without_qualifiers(type));
  if (derived == nullptr) return nullptr;
  const unsigned tag = derived->getTag();
  const bool points = tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type ||
                      tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
  return points ? without_qualifiers(derived->getBaseType()) : nullptr;
}

const llvm::DIType* type_at(const llvm::DIType* type, std::uint64_t offset) {
  type = without_qualifiers(type);
  const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(type);
  if (composite == nullptr) return offset == 0 ? type : nullptr;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const std::uint64_t size = bytes_of_type(composite->getBaseType());
    return size == 0 ? nullptr : type_at(composite->getBaseType(), offset % size);
  }
  if (!is_record(*composite)) return offset == 0 ? type : nullptr;
  for (const auto* element : composite->getElements()) {
    const auto* member = llvm::dyn_cast<DIDerivedType>(element);
    if (member == nullptr || member->isStaticMember() || member->isBitField()) continue;
    const std::uint64_t start = member->getOffsetInBits() / 8;
    if (offset < start || offset >= start + bytes_of_type(member)) continue;
    if (const DIType* found = type_at(member->getBaseType(), offset - start)) return found;
  }
  return nullptr;
}

MemberName member_name(const llvm::DIType* type, std::uint64_t offset, std::uint64_t bytes, bool is_array) {
  if (type == nullptr) return {};
  return MemberSearch(bytes, is_array).in(type, offset);
}

}  // namespace weir::c
