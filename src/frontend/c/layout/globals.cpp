#include "frontend/c/layout/globals.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "base/error.hpp"
#include "frontend/c/names.hpp"
#include "program/address.hpp"

namespace weir::c {

namespace {

// Below the addresses of blocks and private memory, and too high for 32 bits.
constexpr Ranges kRanges{0x0555'0000'1000, 0x0AAA'0000'0000, 0x0BBB'0000'0000, 0x4'0555'0000'1000};
// Where pointers have 32 bits: low enough to be words (pointer_words.hpp).
constexpr Ranges kNarrowRanges{0x0804'8000, 0x3000'0000, 0x3800'0000, 0x3C00'0000};
// Of variables that cannot be used, if there is room for such addresses: whoever follows one gives up.
constexpr Value kFirstUnusable = kFirstCutAddress + (Value{1} << 44);
constexpr std::uint64_t kEndOfOwnWords = std::uint64_t{1} << 30;
constexpr Value kGap = 16;
constexpr Value kPage = 4096;
constexpr std::uint64_t kMostCells = 1 << 22;  // of one global
constexpr std::uint64_t kLargestGlobal = 1 << 26;

Value round_up(Value value, Value alignment) { return (value + alignment - 1) / alignment * alignment; }

// Does the address of the variable get to where somebody else could use it?
bool address_escapes(const llvm::Value& address, unsigned depth = 0) {
  if (depth > 32) return true;
  for (const llvm::Use& use : address.uses()) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == &address) return true;
    } else if (llvm::isa<llvm::AtomicRMWInst>(user) || llvm::isa<llvm::AtomicCmpXchgInst>(user)) {
      if (use.getOperandNo() != 0) return true;
    } else if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      const bool gives_address = call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address;
      if (gives_address ? address_escapes(*call, depth + 1) : !llvm::isa<llvm::MemIntrinsic>(call))
        return true;
    } else if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::BitCastOperator>(user) ||
               llvm::isa<llvm::SelectInst>(user)) {
      if (address_escapes(*user, depth + 1)) return true;
    } else {
      return true;
    }
  }
  return false;
}

// The structure of that name in the module, or null.
llvm::Type* named_type(llvm::LLVMContext& context, const llvm::DIType* type) {
  type = without_qualifiers(type);
  if (type == nullptr || type->getName().empty()) return nullptr;
  for (const char* kind : {"struct.", "union.", "class."})
    if (auto* found = llvm::StructType::getTypeByName(context, kind + type->getName().str())) return found;
  return nullptr;
}

llvm::Type* array_of(llvm::Type* element, std::uint64_t bytes, const llvm::DataLayout& data) {
  if (element == nullptr || !element->isSized()) return nullptr;
  const std::uint64_t size = data.getTypeAllocSize(element);
  if (size == 0 || bytes % size != 0) return nullptr;
  return bytes == size ? element : llvm::ArrayType::get(element, bytes / size);
}

// The type that the program uses for the variable where that of its initialiser is another one.
llvm::Type* type_in_use(const llvm::GlobalVariable& variable, const llvm::DataLayout& data) {
  llvm::Type* own = variable.getValueType();
  if (is_declared_type(own)) return own;
  const std::uint64_t bytes = data.getTypeAllocSize(own);
  if (const auto* known = variable_of(variable)) {
    const llvm::DIType* type = without_qualifiers(known->getType());
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
    const bool is_array = composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type;
    llvm::Type* element = named_type(own->getContext(), is_array ? composite->getBaseType() : type);
    if (llvm::Type* found = array_of(element, bytes, data)) return found;
  }
  for (const llvm::User* user : variable.users())
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      llvm::Type* source = gep->getSourceElementType();
      const bool fits = source->isSized() && data.getTypeAllocSize(source) == bytes;
      if (fits && is_declared_type(source) && !source->isSingleValueType()) return source;
    }
  return own;
}

}  // namespace

bool is_standard_stream(const llvm::GlobalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  return variable.isDeclaration() && (name == "stdin" || name == "stdout" || name == "stderr");
}

Globals::Globals(const llvm::Module& module, Layouts& layouts, const CellsInUse& in_use,
                 std::uint32_t thread_limit)
    : module_(module),
      layouts_(layouts),
      thread_limit_(thread_limit),
      ranges_(has_narrow_pointers() ? kNarrowRanges : kRanges) {
  Value next = ranges_.variables;
  globals_.reserve(module.global_size());
  for (const llvm::GlobalVariable& variable : module.globals()) place(variable, in_use, next);
  for (const Global& global : globals_) {
    if (global.is_private) thread_locals_.push_back(&global);
    if (global.is_block) blocks_.push_back(&global);
  }
  Value address = ranges_.functions;
  for (const llvm::Function& function : module) {
    functions_.emplace(&function, address);
    address += kGap;
  }
}

void Globals::place(const llvm::GlobalVariable& variable, const CellsInUse& in_use, Value& next) {
  Global global{.variable = &variable};
  if (!variable.getValueType()->isSized()) {
    global.problem = GlobalProblem::kUndefined;
  } else {
    global.type = type_in_use(variable, layouts_.data());
    global.layout = layout_of(global, in_use);
  }
  const bool defined =
      variable.hasInitializer() || is_standard_stream(variable) || variable.getName() == kThreadTable;
  if (!defined) global.problem = GlobalProblem::kUndefined;
  std::uint64_t cells = 0;
  for (const CellRun& run : global.layout.runs) cells += run.count;
  const Value copies = variable.isThreadLocal() ? thread_limit_ : 1;
  if (global.layout.too_big || cells > kMostCells || global.layout.size > kLargestGlobal ||
      next + static_cast<Value>(global.layout.size) * copies > ranges_.functions - kPage)
    global.problem = GlobalProblem::kTooBig;

  const bool usable = global.problem == GlobalProblem::kNone;
  const Value size = usable ? std::max<Value>(1, static_cast<Value>(global.layout.size)) : 1;
  if (usable && variable.isThreadLocal() && !address_escapes(variable)) {
    global.is_private = true;
    global.address = round_up(static_cast<Value>(thread_local_bytes_), 16);
    thread_local_bytes_ = static_cast<std::uint64_t>(global.address + size);
  } else if (usable && variable.isThreadLocal() && global.layout.size <= kLargestBlock) {
    BlockAddress block{
        .number = block_count_++, .kind = BlockKind::kStack, .size = static_cast<std::uint64_t>(size)};
    global.is_block = true;
    global.address = encode(block);
    block.thread = 1;
    global.copy_distance = encode(block) - global.address;
  } else if (!usable && !has_narrow_pointers()) {
    global.address = kFirstUnusable + static_cast<Value>(globals_.size()) * kPage;
  } else {
    const Value alignment =
        std::max<Value>(kGap, static_cast<Value>(variable.getAlign().valueOrOne().value()));
    const Value distance = round_up(size + kGap, alignment);
    next = round_up(next, alignment);
    global.address = next;
    if (variable.isThreadLocal()) global.copy_distance = distance;
    next += variable.isThreadLocal() ? distance * thread_limit_ : distance;
  }
  index_.emplace(&variable, globals_.size());
  globals_.push_back(std::move(global));
}

TypeLayout Globals::layout_of(Global& global, const CellsInUse& in_use) {
  const llvm::GlobalVariable& variable = *global.variable;
  if (variable.getName() == kThreadTable && global.type->isArrayTy())
    global.type = llvm::ArrayType::get(global.type->getArrayElementType(), thread_limit_);
  TypeLayout layout = layouts_.of(global.type);
  if (const auto seen = in_use.variables.find(&variable); seen != in_use.variables.end())
    layout.runs = seen->second;
  return layout;
}

const Global& Globals::use(const llvm::GlobalVariable& variable) {
  Global& global = globals_[index_.at(&variable)];
  if (!global.used) global.mentioned_by = initialised_;
  global.used = true;
  return global;
}

std::string Globals::problem_text(const llvm::GlobalVariable& variable) const {
  const GlobalProblem problem = look_at(variable).problem;
  if (problem == GlobalProblem::kTooBig)
    return fmt::format("the variable `{}` is too big", name_of(variable));
  if (problem == GlobalProblem::kUndefined && !variable.hasExternalWeakLinkage())
    return fmt::format("the variable `{}` is declared, but none of the files defines it", name_of(variable));
  return "";
}

std::optional<Value> Globals::number(const llvm::Constant& constant) {
  const auto type = scalar_type(constant.getType());
  if (!type) return std::nullopt;
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return wrap(integer->getZExtValue(), *type);
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return wrap(real->getValueAPF().bitcastToAPInt().getZExtValue(), *type);
  if (constant.isNullValue()) return 0;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (variable->hasExternalWeakLinkage()) return 0;
    if (variable->isThreadLocal()) return std::nullopt;
    return use(*variable).address;
  }
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&constant))
    return function->hasExternalWeakLinkage() ? 0 : address_of(*function);
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant)) return number(*alias->getAliasee());
  if (const auto* label = llvm::dyn_cast<llvm::BlockAddress>(&constant))
    return labels_.try_emplace(label, ranges_.labels + static_cast<Value>(labels_.size()) * kGap)
        .first->second;
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
    return expression_number(*expression);
  return std::nullopt;
}

std::optional<Value> Globals::expression_number(const llvm::ConstantExpr& expression) {
  const auto type = *scalar_type(expression.getType());
  const auto first = number(*expression.getOperand(0));
  if (!first) return std::nullopt;
  const auto a = static_cast<std::uint64_t>(*first);
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&expression)) {
    llvm::APInt offset(layouts_.data().getIndexTypeSizeInBits(gep->getType()), 0);
    if (!gep->accumulateConstantOffset(layouts_.data(), offset)) return std::nullopt;
    return wrap(a + static_cast<std::uint64_t>(offset.getSExtValue()), type);
  }
  if (expression.isCast()) {
    // A word that is not its own address is for the lowering.
    if (expression.getOpcode() == llvm::Instruction::IntToPtr && has_narrow_pointers() && a >= kEndOfOwnWords)
      return std::nullopt;
    // All that are left keep the low bits.
    const bool keeps = expression.getOpcode() != llvm::Instruction::ZExt &&
                       expression.getOpcode() != llvm::Instruction::SExt;
    return keeps ? std::optional(wrap(a, type)) : std::nullopt;
  }
  if (expression.getNumOperands() != 2) return std::nullopt;
  const auto second = number(*expression.getOperand(1));
  if (!second) return std::nullopt;
  const auto b = static_cast<std::uint64_t>(*second);
  switch (expression.getOpcode()) {
    case llvm::Instruction::Add: return wrap(a + b, type);
    case llvm::Instruction::Sub: return wrap(a - b, type);
    case llvm::Instruction::Mul: return wrap(a * b, type);
    case llvm::Instruction::Xor: return wrap(a ^ b, type);
    default: return std::nullopt;
  }
}

}  // namespace weir::c
