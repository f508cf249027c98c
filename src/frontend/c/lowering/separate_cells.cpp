#include "frontend/c/lowering/separate_cells.hpp"

#include <algorithm>
#include <llvm/IR/InstIterator.h>

namespace weir::c {

namespace {

struct ScalarAccess {
  const llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;
};

ScalarAccess access_of(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {load->getPointerOperand(), load->getType()};
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {store->getPointerOperand(), store->getValueOperand()->getType()};
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {update->getPointerOperand(), update->getType()};
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {exchange->getPointerOperand(), exchange->getNewValOperand()->getType()};
  return {};
}

}  // namespace

bool SeparateCells::are_side_by_side(const Place& place, const std::vector<Part>& parts,
                                     std::uint64_t bytes) {
  if (parts.size() < 2) return false;
  std::uint64_t end = 0;
  for (const Part& part : parts) {
    if (part.offset != static_cast<std::int64_t>(end)) return false;
    end += part.bytes;
  }
  if (end != bytes) return false;
  if (!collected_) collect();
  return std::ranges::all_of(parts, [&](const Part& part) {
    return accessed_.contains(
        {place.layout, place.offset + static_cast<std::uint64_t>(part.offset), part.bytes});
  });
}

namespace {

// They read all bytes of what they are given.
bool reads_every_byte(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return !function.use_empty() &&
         (name == "memcmp" || name == "bcmp" || name == "memchr" || name == "fwrite" || name == "write");
}

// Structures within variables of this size have no cells between their members (objects.cpp).
bool has_large_variable(const llvm::Module& module) {
  constexpr std::uint64_t kLarge = 4096;
  return llvm::any_of(module.globals(), [&](const llvm::GlobalVariable& variable) {
    return variable.getValueType()->isSized() && variable.getValueType()->isAggregateType() &&
           !variable.getName().starts_with("__weir") &&
           module.getDataLayout().getTypeAllocSize(variable.getValueType()) > kLarge;
  });
}

}  // namespace

bool SeparateCells::padding_is_read() {
  if (!collected_) collect();
  return padding_is_read_;
}

void SeparateCells::collect() {
  collected_ = true;
  padding_is_read_ = llvm::any_of(module_, reads_every_byte);
  for (const llvm::Function& function : module_)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto [pointer, type] = access_of(instruction);
      if (pointer == nullptr || !type->isSized() || !type->isSingleValueType()) continue;
      const Place place = places_.of(*pointer);
      if (place.layout == nullptr) continue;
      const std::uint64_t bytes = module_.getDataLayout().getTypeStoreSize(type);
      accessed_.insert({place.layout, place.offset, bytes});
      padding_is_read_ |= llvm::isa<llvm::LoadInst>(instruction) && place.layout->runs.size() > 1 &&
                          place.layout->slice(place.offset, place.offset + bytes).empty();
    }
  padding_is_read_ = padding_is_read_ && !has_large_variable(module_);
}

}  // namespace weir::c
