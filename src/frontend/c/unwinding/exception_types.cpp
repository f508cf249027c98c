#include "frontend/c/unwinding/exception_types.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <map>

namespace weir::c {

namespace {

enum class Kind : std::uint8_t { kOther, kClass, kPointer };

struct Base {
  llvm::GlobalVariable* type;
  BaseStep step;
  bool is_public;
};

struct TypeInfo {
  Kind kind = Kind::kOther;
  std::vector<Base> bases;
  std::uint64_t qualifiers = 0;  // of what a pointer points to
  llvm::GlobalVariable* pointee = nullptr;
};

constexpr std::uint64_t kConst = 1, kVolatile = 2, kRestrict = 4, kQualifiers = 7;

llvm::GlobalVariable* as_variable(llvm::Constant* constant) {
  return llvm::dyn_cast<llvm::GlobalVariable>(constant->stripPointerCasts());
}

std::int64_t number(const llvm::Constant& fields, unsigned index) {
  const auto* value = llvm::dyn_cast_or_null<llvm::ConstantInt>(fields.getAggregateElement(index));
  return value == nullptr ? 0 : value->getSExtValue();
}

void add_base(TypeInfo& type, const llvm::Constant& fields, unsigned index, BaseStep step, bool is_public) {
  if (llvm::Constant* base = fields.getAggregateElement(index))
    if (llvm::GlobalVariable* variable = as_variable(base)) type.bases.push_back({variable, step, is_public});
}

// Of a class with several bases, or virtual ones: each has its type and its offset, with two flags.
void add_bases(TypeInfo& type, const llvm::Constant& fields) {
  constexpr std::int64_t kVirtual = 1, kPublic = 2;
  constexpr unsigned kFirst = 4;
  const std::int64_t count = number(fields, kFirst - 1);
  for (unsigned i = 0; i < count && fields.getAggregateElement(kFirst + 2 * i) != nullptr; ++i) {
    const std::int64_t place = number(fields, kFirst + 2 * i + 1);
    add_base(type, fields, kFirst + 2 * i, {place >> 8, (place & kVirtual) != 0}, (place & kPublic) != 0);
  }
}

// Pointers to fundamental types are described by the library; their names say the same.
TypeInfo by_name(llvm::GlobalVariable& variable) {
  TypeInfo type;
  llvm::StringRef name = variable.getName();
  if (!name.consume_front("_ZTIP")) return type;
  type.kind = Kind::kPointer;
  for (bool more = true; more;) {
    more = true;
    if (name.consume_front("r"))
      type.qualifiers |= kRestrict;
    else if (name.consume_front("V"))
      type.qualifiers |= kVolatile;
    else if (name.consume_front("K"))
      type.qualifiers |= kConst;
    else
      more = false;
  }
  auto* pointer = llvm::PointerType::getUnqual(variable.getContext());
  type.pointee = llvm::dyn_cast<llvm::GlobalVariable>(
      variable.getParent()->getOrInsertGlobal(("_ZTI" + name).str(), pointer));
  return type;
}

TypeInfo read(llvm::GlobalVariable& variable) {
  if (!variable.hasInitializer()) return by_name(variable);
  TypeInfo type;
  const llvm::Constant* fields = variable.getInitializer();
  const llvm::Constant* functions = fields->getAggregateElement(0u);
  if (functions == nullptr) return by_name(variable);
  // The runtime's own have the two parts that all types have as one.
  const bool nested = functions->getType()->isStructTy();
  if (nested) functions = functions->getAggregateElement(0u);
  if (functions == nullptr) return type;
  const llvm::StringRef kind = llvm::getUnderlyingObject(functions)->getName();
  if (kind.contains("__si_class_type_info")) {
    type.kind = Kind::kClass;
    add_base(type, *fields, nested ? 1 : 2, {}, true);
  } else if (kind.contains("__vmi_class_type_info")) {
    type.kind = Kind::kClass;
    add_bases(type, *fields);
  } else if (kind.contains("__class_type_info")) {
    type.kind = Kind::kClass;
  } else if (kind.contains("__pointer_type_info")) {
    type.kind = Kind::kPointer;
    type.qualifiers = static_cast<std::uint64_t>(number(*fields, 2)) & kQualifiers;
    if (llvm::Constant* pointee = fields->getAggregateElement(3)) type.pointee = as_variable(pointee);
  }
  return type;
}

// All ways from a class to one of its bases. Two ways that lead through the same virtual base, and then by
// the same offset, lead to the same object.
class BaseSearch {
 public:
  explicit BaseSearch(llvm::GlobalVariable& wanted) : wanted_(wanted) {}

  std::optional<std::vector<BaseStep>> from(llvm::GlobalVariable& type) {
    visit(type, {}, {nullptr, 0}, true);
    if (found_.size() != 1 || !found_.begin()->second.is_public) return std::nullopt;
    return found_.begin()->second.steps;
  }

 private:
  static constexpr std::size_t kMostSteps =
      64;  // a class is not its own base, but who knows who wrote the file
  using Place = std::pair<const llvm::GlobalVariable*, std::int64_t>;  // behind the last virtual base
  struct Way {
    std::vector<BaseStep> steps;
    bool is_public = false;
  };

  void visit(llvm::GlobalVariable& type, const std::vector<BaseStep>& steps, Place place, bool is_public) {
    if (steps.size() > kMostSteps) return;
    if (&type == &wanted_) {
      Way& way = found_[place];
      if (!way.is_public) way = {steps, is_public};
      return;
    }
    for (const Base& base : read(type).bases) {
      std::vector<BaseStep> longer = steps;
      longer.push_back(base.step);
      const Place next =
          base.step.is_virtual ? Place{base.type, 0} : Place{place.first, place.second + base.step.offset};
      visit(*base.type, longer, next, is_public && base.is_public);
    }
  }

  llvm::GlobalVariable& wanted_;
  std::map<Place, Way> found_;
};

// `outer_const`: every pointer around these two points to something constant, so that they may differ in
// qualifiers.
std::optional<std::vector<BaseStep>> pointer_conversion(const TypeInfo& thrown, const TypeInfo& caught,
                                                        bool outermost, bool outer_const) {
  if (thrown.pointee == nullptr || caught.pointee == nullptr) return std::nullopt;
  if ((thrown.qualifiers & ~caught.qualifiers) != 0) return std::nullopt;
  if (thrown.qualifiers != caught.qualifiers && !outermost && !outer_const) return std::nullopt;
  if (thrown.pointee == caught.pointee) return std::vector<BaseStep>();
  if (!outermost && !outer_const) return std::nullopt;
  const TypeInfo from = read(*thrown.pointee), to = read(*caught.pointee);
  if (outermost && caught.pointee->getName() == "_ZTIv") return std::vector<BaseStep>();
  if (from.kind == Kind::kPointer && to.kind == Kind::kPointer)
    return pointer_conversion(from, to, false, (caught.qualifiers & kConst) != 0);
  if (!outermost || from.kind != Kind::kClass || to.kind != Kind::kClass) return std::nullopt;
  return BaseSearch(*caught.pointee).from(*thrown.pointee);
}

llvm::Value* at_offset(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* offset) {
  return builder.CreateGEP(builder.getInt8Ty(), address, offset);
}

llvm::Value* base_of(llvm::IRBuilder<>& builder, llvm::Value* object, const std::vector<BaseStep>& steps) {
  const llvm::DataLayout& layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  llvm::Type* difference = layout.getIntPtrType(builder.getContext());
  for (const BaseStep& step : steps) {
    llvm::Value* offset = llvm::ConstantInt::getSigned(difference, step.offset);
    if (step.is_virtual) {
      llvm::Value* functions = builder.CreateLoad(builder.getPtrTy(), object);
      offset = builder.CreateLoad(difference, at_offset(builder, functions, offset));
    }
    object = at_offset(builder, object, offset);
  }
  return object;
}

}  // namespace

std::optional<Conversion> conversion(llvm::GlobalVariable& thrown, llvm::GlobalVariable& caught) {
  const TypeInfo from = read(thrown), to = read(caught);
  const bool is_pointer = from.kind == Kind::kPointer;
  if (&thrown == &caught) return Conversion{is_pointer, false, {}};
  if (thrown.getName() == "_ZTIDn" && to.kind == Kind::kPointer) return Conversion{true, true, {}};
  std::optional<std::vector<BaseStep>> steps;
  if (is_pointer && to.kind == Kind::kPointer)
    steps = pointer_conversion(from, to, true, true);
  else if (from.kind == Kind::kClass && to.kind == Kind::kClass)
    steps = BaseSearch(caught).from(thrown);
  if (!steps) return std::nullopt;
  return Conversion{is_pointer, false, std::move(*steps)};
}

llvm::Value* converted(llvm::IRBuilder<>& builder, llvm::Value* object, const Conversion& conversion) {
  if (conversion.gives_null) return llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (!conversion.is_pointer) return base_of(builder, object, conversion.steps);
  llvm::Value* pointer = builder.CreateLoad(builder.getPtrTy(), object);
  if (conversion.steps.empty()) return pointer;
  // A null pointer stays one.
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* exists = llvm::BasicBlock::Create(builder.getContext(), "exists", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "converted", function);
  builder.CreateCondBr(builder.CreateIsNull(pointer), after, exists);
  builder.SetInsertPoint(exists);
  llvm::Value* base = base_of(builder, pointer, conversion.steps);
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  llvm::PHINode* result = builder.CreatePHI(builder.getPtrTy(), 2);
  result->addIncoming(pointer, before);
  result->addIncoming(base, exists);
  return result;
}

std::string type_name(const llvm::GlobalVariable& type) {
  const std::string name = llvm::demangle(type.getName());
  constexpr llvm::StringLiteral kPrefix = "typeinfo for ";
  return llvm::StringRef(name).starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

std::vector<llvm::GlobalVariable*> thrown_types(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> types;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.getName().starts_with("_ZTI")) continue;
    const bool thrown = llvm::any_of(variable.uses(), [](const llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call != nullptr && call->isArgOperand(&use) && !llvm::isa<llvm::IntrinsicInst>(call);
    });
    if (thrown) types.push_back(&variable);
  }
  return types;
}

}  // namespace weir::c
