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

void SeparateCells::collect() {
  collected_ = true;
  for (const llvm::Function& function : module_)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto [pointer, type] = access_of(instruction);
      if (pointer == nullptr || !type->isSized() || !type->isSingleValueType()) continue;
      const Place place = places_.of(*pointer);
      if (place.layout != nullptr)
        accessed_.insert({place.layout, place.offset, module_.getDataLayout().getTypeStoreSize(type)});
    }
}

}  // namespace weir::c
