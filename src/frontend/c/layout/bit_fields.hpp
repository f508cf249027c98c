// Bit-fields. Clang writes one by loading its whole unit, replacing its bits and storing the unit. Where that
// was never initialised, the other bits are unknown: they are all 0 or all 1, as far as somebody reads them,
// so that a program that reads a field beside the one it wrote behaves in two ways. (Any other pattern is
// left out.)
#pragma once

#include <cstdint>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>

namespace weir::c {

// The bits that the load of a write to a bit-field puts back as they were. None if the load is for something
// else.
std::optional<std::uint64_t> kept_bits(const llvm::LoadInst& load);

// Which bits of units of each width are read as part of a field, anywhere in the module.
class BitFieldReads {
 public:
  explicit BitFieldReads(const llvm::Module& module);

  std::uint64_t bits(unsigned width) const {
    const auto known = bits_.find(width);
    return known == bits_.end() ? 0 : known->second;
  }

 private:
  std::map<unsigned, std::uint64_t> bits_;
};

}  // namespace weir::c
