#include "frontend/c/layout/bit_fields.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

namespace weir::c {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// By clang's name for it.
bool loads_unit(const llvm::LoadInst& load) {
  return load.getName().starts_with("bf.load") && !load.isAtomic() && load.getType()->isIntegerTy() &&
         load.getType()->getIntegerBitWidth() <= 64;
}

std::optional<std::uint64_t> constant_operand(const llvm::User* user, unsigned opcode) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
  if (operation == nullptr || operation->getOpcode() != opcode) return std::nullopt;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  return number == nullptr ? std::nullopt : std::optional(number->getZExtValue());
}

bool goes_back(const llvm::User* user, const llvm::LoadInst& load) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
  return store != nullptr && store->getPointerOperand() == load.getPointerOperand();
}

// Of an operation on a unit of so many bits, and what follows it: the field that it takes out.
std::uint64_t field_of(const llvm::User* user, unsigned width) {
  if (const auto mask = constant_operand(user, llvm::Instruction::And)) return *mask;
  const llvm::User* next = user->hasOneUse() ? *user->user_begin() : nullptr;
  if (const auto low = constant_operand(user, llvm::Instruction::LShr)) {
    const auto mask = next == nullptr ? std::nullopt : constant_operand(next, llvm::Instruction::And);
    return mask.value_or(kAll >> *low) << *low;
  }
  const auto above = constant_operand(user, llvm::Instruction::Shl);
  const auto rest = next == nullptr ? std::nullopt : constant_operand(next, llvm::Instruction::AShr);
  if (!above || !rest || *rest < *above || *rest >= width) return kAll;
  return (kAll >> (64 - (width - *rest))) << (*rest - *above);
}

}  // namespace

std::optional<std::uint64_t> kept_bits(const llvm::LoadInst& load) {
  if (!loads_unit(load) || !load.hasOneUse()) return std::nullopt;
  const llvm::User* kept = load.user_back();
  const auto mask = constant_operand(kept, llvm::Instruction::And);
  if (!mask) return std::nullopt;
  const bool all_go_back = llvm::all_of(kept->users(), [&](const llvm::User* user) {
    const auto* combined = llvm::dyn_cast<llvm::BinaryOperator>(user);
    const bool is_or = combined != nullptr && combined->getOpcode() == llvm::Instruction::Or;
    return goes_back(user, load) || (is_or && llvm::any_of(combined->users(), [&](const llvm::User* u) {
                                       return goes_back(u, load);
                                     }));
  });
  return all_go_back ? mask : std::nullopt;
}

BitFieldReads::BitFieldReads(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || !loads_unit(*load) || kept_bits(*load)) continue;
      const unsigned width = load->getType()->getIntegerBitWidth();
      for (const llvm::User* user : load->users()) bits_[width] |= field_of(user, width);
    }
}

}  // namespace weir::c
