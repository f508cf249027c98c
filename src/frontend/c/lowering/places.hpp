// What is known about the memory that a pointer points to: whose it is and how it is laid out.
//
// Pointers have no types in LLVM, so this is found out from where the pointer comes from (a variable), or, if
// that does not show, from how the program uses it: as the start of a structure, or as a variable that is
// declared to point to something. The first is certain, the second is likely.
#pragma once

#include <deque>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <optional>
#include <unordered_map>

#include "frontend/c/layout/globals.hpp"
#include "frontend/c/layout/layout.hpp"

namespace weir::c {

enum class Owner : std::uint8_t {
  kPrivate,  // memory of this thread only, which consists of bytes
  kGlobal,   // a global variable: its cells are fixed
  kBlock,    // a variable of this function which other threads may access
  kUnknown,
};

struct Place {
  Owner owner = Owner::kUnknown;
  const TypeLayout* layout =
      nullptr;               // of the whole variable, or of what the pointer's base points to; may be null
  std::uint64_t offset = 0;  // into it; array indices that are not constant count as 0
  const llvm::Value* variable = nullptr;  // the alloca or global, if known
  // A structure is passed in registers by way of this memory: what is loaded from it was not read by the
  // program.
  bool stands_for_another = false;

  bool certain() const { return owner != Owner::kUnknown; }
};

class Places {
 public:
  Places(Layouts& layouts, Globals& globals, const llvm::DenseSet<const llvm::AllocaInst*>& private_allocas)
      : layouts_(layouts), globals_(globals), private_allocas_(private_allocas) {}

  Place of(const llvm::Value& pointer);

 private:
  struct Path;

  static Path path_to(const llvm::Value& pointer);
  std::optional<std::int64_t> offset_within(llvm::Type* type, const Path& path, std::size_t first) const;
  Place of_variable(const llvm::Value& variable, const Path& path);
  Place beyond_base(const Path& path);
  // Of a variable whose type stands for another one: that with which it is copied.
  const TypeLayout& layout_of(const llvm::AllocaInst& variable);
  std::optional<TypeLayout> layout_of_partner(const llvm::AllocaInst& variable);
  // How the program uses memory that starts at `pointer`.
  const TypeLayout* layout_in_use(const llvm::Value& pointer);
  const TypeLayout* search(const llvm::Value& pointer);
  const TypeLayout* from_uses(const llvm::Value& pointer);
  const TypeLayout* from_accesses(const llvm::Value& pointer);
  const llvm::DIType* declared_pointee(const llvm::Value& pointer, unsigned depth);
  const llvm::DIType* declared_type(const llvm::Value& address, unsigned depth);
  const TypeLayout* layout_of(const llvm::DIType* type, llvm::LLVMContext& context);
  const TypeLayout* layout_of_record(const llvm::DICompositeType& type);

  Layouts& layouts_;
  Globals& globals_;
  const llvm::DenseSet<const llvm::AllocaInst*>& private_allocas_;
  std::unordered_map<const llvm::Value*, const TypeLayout*> in_use_;
  std::unordered_map<const llvm::Value*, TypeLayout> stand_ins_;
  std::unordered_map<const llvm::DIType*, const TypeLayout*> records_;
  std::deque<TypeLayout> made_;  // stay where they are
};

}  // namespace weir::c
