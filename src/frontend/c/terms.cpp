#include "frontend/c/terms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <unordered_map>

#include "frontend/c/names.hpp"

namespace weir::c {

namespace {

using llvm::DICompositeType;
using llvm::DIDerivedType;
using llvm::DILocation;
using llvm::DIType;

std::string with_scope(const llvm::DIScope* scope, llvm::StringRef name) {
  if (llvm::isa_and_nonnull<DICompositeType>(scope) && !scope->getName().empty() && !name.empty())
    return fmt::format("{}::{}", scope->getName().str(), name.str());
  const auto* space = llvm::dyn_cast_or_null<llvm::DINamespace>(scope);
  return space != nullptr && space->getName() == "std" ? "std::" + name.str() : name.str();
}

// --- Types

class TypeTable {
 public:
  explicit TypeTable(std::vector<SourceType>& types) : types_(types) {}

  SourceTypeId id(const DIType* type) {
    const std::string synonym = name_of_typedef(type);
    type = without_qualifiers(type);
    if (type == nullptr || types_.size() >= kMost) return {};
    const auto [entry, is_new] = ids_.try_emplace(type, SourceTypeId(types_.size()));
    const SourceTypeId id = entry->second;
    if (!is_new) return id;
    types_.emplace_back();
    SourceType made = converted(*type);
    if (made.name.empty()) made.name = synonym;
    types_[id.index()] = std::move(made);
    return id;
  }

 private:
  static constexpr std::size_t kMost = 5000;

  // Structures may have no name but this.
  static std::string name_of_typedef(const DIType* type) {
    const auto* derived = llvm::dyn_cast_or_null<DIDerivedType>(type);
    while (derived != nullptr && derived->getTag() != llvm::dwarf::DW_TAG_typedef)
      derived = derived->getTag() == llvm::dwarf::DW_TAG_const_type ||
                        derived->getTag() == llvm::dwarf::DW_TAG_volatile_type
                    ? llvm::dyn_cast_or_null<DIDerivedType>(derived->getBaseType())
                    : nullptr;
    return derived == nullptr ? "" : derived->getName().str();
  }

  SourceType converted(const DIType& type) {
    SourceType made{.name = with_scope(type.getScope(), type.getName()), .bytes = type.getSizeInBits() / 8};
    if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(&type)) {
      if (basic->getEncoding() == llvm::dwarf::DW_ATE_boolean) made.kind = SourceType::Kind::kBoolean;
      if (basic->getName() == "char") made.kind = SourceType::Kind::kCharacter;
    } else if (const auto* composite = llvm::dyn_cast<DICompositeType>(&type)) {
      add_parts(*composite, made);
    } else if (const DIType* pointee = pointee_of(&type); pointee != nullptr || is_pointer(type)) {
      made.kind = SourceType::Kind::kPointer;
      made.target = id(pointee);
    }
    return made;
  }

  static bool is_pointer(const DIType& type) {
    return type.getTag() == llvm::dwarf::DW_TAG_pointer_type ||
           type.getTag() == llvm::dwarf::DW_TAG_reference_type;
  }

  void add_parts(const DICompositeType& type, SourceType& made) {
    if (type.getTag() == llvm::dwarf::DW_TAG_array_type) {
      made.kind = SourceType::Kind::kArray;
      made.target = id(element_of(type));
      return;
    }
    const bool is_enumeration = type.getTag() == llvm::dwarf::DW_TAG_enumeration_type;
    made.kind = is_enumeration ? SourceType::Kind::kEnumeration : SourceType::Kind::kRecord;
    for (const auto* element : type.getElements()) {
      if (const auto* value = llvm::dyn_cast<llvm::DIEnumerator>(element))
        made.enumerators.push_back({value->getName().str(), value->getValue().getSExtValue()});
      const auto* member = llvm::dyn_cast<DIDerivedType>(element);
      if (member == nullptr || member->isStaticMember() || member->isBitField()) continue;
      const bool named = member->getTag() == llvm::dwarf::DW_TAG_member;
      if (!named && member->getTag() != llvm::dwarf::DW_TAG_inheritance) continue;
      made.members.push_back(
          {named ? member->getName().str() : "", member->getOffsetInBits() / 8, id(member->getBaseType())});
    }
  }

  // Of an array with several dimensions, the innermost one.
  static const DIType* element_of(const DICompositeType& array) { return array.getBaseType(); }

  std::vector<SourceType>& types_;
  std::unordered_map<const DIType*, SourceTypeId> ids_;
};

// --- Accesses

// Memory as the source speaks of it.
struct Written {
  std::string text;              // empty: nobody knows
  const DIType* type = nullptr;  // of what lies there
  const DIType* whole = nullptr;
  std::uint64_t offset = 0;
};

// A pointer, and how far behind another one it is.
struct PointerPath {
  const llvm::Value* base = nullptr;
  std::uint64_t offset = 0;            // with variable indices as 0
  const llvm::Value* index = nullptr;  // the variable one, if there is one only
  bool known = true;
};

void follow(const llvm::GEPOperator& gep, const llvm::DataLayout& data, PointerPath& path) {
  for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(index->getZExtValue());
      path.offset += data.getStructLayout(structure)->getElementOffset(field).getFixedValue();
    } else if (index != nullptr) {
      path.offset += index->getValue().sextOrTrunc(64).getZExtValue() *
                     step.getSequentialElementStride(data).getFixedValue();
    } else {
      path.known = path.known && path.index == nullptr;
      path.index = step.getOperand();
    }
  }
}

PointerPath path_to(const llvm::Value& pointer, const llvm::DataLayout& data) {
  PointerPath path{.base = &pointer};
  while (true) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(path.base)) {
      follow(*gep, data, path);
      path.base = gep->getPointerOperand();
    } else if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(path.base)) {
      path.base = freeze->getOperand(0);
    } else {
      return path;
    }
  }
}

class Wording {
 public:
  // Names of variables of that function are best.
  Wording(const llvm::DataLayout& data, const llvm::DISubprogram* reader) : data_(data), reader_(reader) {}

  Written memory(const llvm::Value& pointer, std::uint64_t bytes, int depth = 0) const {
    const PointerPath path = path_to(pointer, data_);
    if (!path.known || depth > kDeepest) return {};
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(path.base)) {
      const auto* variable = variable_of(*global);
      if (variable == nullptr) return {};
      return part({name_of(*global), variable->getType()}, path, bytes, ".");
    }
    if (llvm::isa<llvm::AllocaInst>(path.base)) {
      const auto* variable = variable_of(*path.base);
      if (variable == nullptr) return {};
      return part({variable->getName().str(), variable->getType()}, path, bytes, ".");
    }
    const Written pointing = value(*path.base, depth + 1);
    const DIType* pointee = pointee_of(pointing.type);
    if (pointee == nullptr) return {};
    Written found = part({pointing.text, pointee}, path, bytes, "->");
    found.whole = pointee;
    found.offset = path.offset;
    return found;
  }

  // What a value is called; its type.
  Written value(const llvm::Value& value, int depth = 0) const {
    if (const auto* variable = best_variable(value)) return {variable->getName().str(), variable->getType()};
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return memory(*load->getPointerOperand(), data_.getTypeStoreSize(load->getType()), depth + 1);
    return {};
  }

  const llvm::DILocalVariable* best_variable(const llvm::Value& value) const {
    if (llvm::isa<llvm::Constant>(value)) return nullptr;
    llvm::SmallVector<llvm::DbgValueInst*, 4> calls;
    llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
    llvm::findDbgValues(calls, const_cast<llvm::Value*>(&value), &records);
    const llvm::DILocalVariable* best = nullptr;
    for (const auto* record : records) {
      if (record->getExpression()->getNumElements() != 0) continue;
      const llvm::DILocalVariable* variable = record->getVariable();
      if (variable == nullptr || is_reserved(variable->getName().str())) continue;
      if (variable->getScope()->getSubprogram() == reader_) return variable;
      if (best == nullptr) best = variable;
    }
    return best;
  }

 private:
  static constexpr int kDeepest = 6;

  // A part of what has that name and type.
  Written part(Written whole, const PointerPath& path, std::uint64_t bytes, const char* arrow) const {
    const DIType* type = without_qualifiers(whole.type);
    const std::uint64_t size = type == nullptr ? 0 : type->getSizeInBits() / 8;
    const bool through_pointer = std::string_view(arrow) == "->";
    std::string index;
    std::uint64_t offset = path.offset;
    const bool beyond = size != 0 && (offset >= size || (path.index != nullptr && size == bytes));
    if (through_pointer && beyond) {
      index = path.index != nullptr ? index_text(*path.index) : fmt::format("[{}]", offset / size);
      offset %= size;
    }
    std::string inside = member_name(type, offset, bytes, false).path;
    if (path.index != nullptr && index.empty())
      if (const std::size_t first = inside.find("[0]"); first != std::string::npos)
        inside.replace(first, 3, index_text(*path.index));
    inside = without_reserved_members(inside);
    Written found{"", type_at(type, offset), nullptr, 0};
    if (whole.text.empty()) return found;
    if (through_pointer && index.empty())
      found.text = inside.starts_with('.') ? whole.text + "->" + inside.substr(1)
                   : inside.empty()        ? "*" + whole.text
                                           : fmt::format("(*{}){}", whole.text, inside);
    else
      found.text = whole.text + index + inside;
    return found;
  }

  std::string index_text(const llvm::Value& index) const {
    const llvm::Value* source = &index;
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(source)) source = cast->getOperand(0);
    const std::string name = value(*source).text;
    return fmt::format("[{}]", name.empty() ? "..." : name);
  }

  const llvm::DataLayout& data_;
  const llvm::DISubprogram* reader_;
};

const llvm::Value* pointer_operand(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getPointerOperand();
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

bool accesses(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }

class Collector {
 public:
  Collector(const llvm::Module& module, const Program& program, const Globals& globals, const Origins& origins,
            Positions& positions)
      : module_(module),
        program_(program),
        globals_(globals),
        origins_(origins),
        positions_(positions),
        types_(terms_.types) {}

  SourceTerms run() {
    add_variables();
    count_accesses();
    for (std::size_t i = 0; i < origins_.size(); ++i)
      if (origins_[i] != nullptr) take(EdgeId(i), *origins_[i]);
    return std::move(terms_);
  }

 private:
  using CopiedFunction = std::pair<const DILocation*, const llvm::DISubprogram*>;

  void add_variables() {
    for (const llvm::GlobalVariable& variable : module_.globals()) {
      const auto* declared = variable_of(variable);
      const Global& global = globals_.look_at(variable);
      if (declared == nullptr || !global.used || global.is_private || global.is_block) continue;
      if (global.problem != GlobalProblem::kNone) continue;
      const std::string& name = program_name(global.address, name_of(variable));
      terms_.variables.push_back({name, global.address, global.layout.size, types_.id(declared->getType())});
    }
    for (const llvm::Function& function : module_)
      if (!function.isIntrinsic() && function.hasAddressTaken())
        terms_.variables.push_back({name_of(function), globals_.address_of(function), 1, {}});
    std::ranges::sort(terms_.variables, {}, &SourceVariable::address);
  }

  // Variables with the same name are told apart in the program.
  std::string program_name(Value address, std::string name) const {
    const auto object = program_.object_at(address);
    if (!object) return name;
    const std::string& known = program_.object(*object).name;
    const std::size_t end = known.find_first_of(".[+");
    return known.starts_with(name) || end == std::string::npos ? name : known.substr(0, end);
  }

  static CopiedFunction copied_function(const DILocation& place) {
    return {place.getInlinedAt(), place.getScope()->getSubprogram()};
  }

  void count_accesses() {
    for (std::size_t i = 0; i < origins_.size(); ++i) {
      if (origins_[i] == nullptr || !accesses(program_.edges[i].instruction.op)) continue;
      if (const DILocation* place = origins_[i]->getDebugLoc().get())
        ++accesses_in_[copied_function(*place)];
    }
  }

  void take(EdgeId edge, const llvm::Instruction& origin) {
    if (const DILocation* place = origin.getDebugLoc().get()) terms_.chain_of[edge] = chain(*place);
    const Instruction& instruction = program_.edge(edge).instruction;
    const Wording wording(module_.getDataLayout(), reader_of(origin));
    if (instruction.op == Opcode::kAllocate) {
      add(edge, allocated(origin, wording));
    } else if (const llvm::Value* pointer = pointer_operand(origin); pointer && accesses(instruction.op)) {
      add(edge, wording.memory(*pointer, instruction.type.bits / 8));
    }
  }

  void add(EdgeId edge, const Written& written) {
    if (written.text.empty() && written.type == nullptr) return;
    terms_.accesses[edge] = {written.text, types_.id(written.type), types_.id(written.whole), written.offset};
  }

  static Written allocated(const llvm::Instruction& origin, const Wording& wording) {
    if (const auto* variable = variable_of(origin); variable && llvm::isa<llvm::AllocaInst>(origin))
      return {variable->getName().str(), variable->getType()};
    const auto* pointer = wording.best_variable(origin);
    return {"", pointer == nullptr ? nullptr : pointee_of(pointer->getType())};
  }

  // The function of the user whose variables are best to name.
  const llvm::DISubprogram* reader_of(const llvm::Instruction& origin) const {
    for (const DILocation* place = origin.getDebugLoc().get(); place != nullptr; place = place->getInlinedAt())
      if (!is_foreign(*place)) return place->getScope()->getSubprogram();
    return origin.getFunction()->getSubprogram();
  }

  bool is_foreign(const DILocation& place) const {
    return positions_.is_foreign(place.getFile()) || is_wrapper(place);
  }

  // A function in a header that makes one access is a name for that access.
  bool is_wrapper(const DILocation& place) const {
    if (place.getInlinedAt() == nullptr || !place.getFile()->getFilename().contains(".h")) return false;
    const auto found = accesses_in_.find(copied_function(place));
    return found != accesses_in_.end() && found->second == 1;
  }

  std::uint32_t chain(const DILocation& innermost) {
    const auto [entry, is_new] = chains_.try_emplace(&innermost, terms_.chains.size());
    if (!is_new) return entry->second;
    auto& frames = terms_.chains.emplace_back();
    for (const DILocation* place = &innermost; place != nullptr; place = place->getInlinedAt()) {
      const llvm::DISubprogram* function = place->getScope()->getSubprogram();
      frames.push_back({with_scope(function->getScope(), function->getName()), positions_.of(*place),
                        is_foreign(*place)});
    }
    return entry->second;
  }

  const llvm::Module& module_;
  const Program& program_;
  const Globals& globals_;
  const Origins& origins_;
  Positions& positions_;
  SourceTerms terms_;
  TypeTable types_;
  std::map<CopiedFunction, int> accesses_in_;
  std::unordered_map<const DILocation*, std::uint32_t> chains_;
};

}  // namespace

SourceTerms source_terms(const llvm::Module& module, const Program& program, const Globals& globals,
                         const Origins& origins, Positions& positions) {
  return Collector(module, program, globals, origins, positions).run();
}

}  // namespace weir::c
