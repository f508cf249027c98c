// What the user calls things, and which of them are signed: from debug information, or as well as it can be
// said without.
#pragma once

#include <cstdint>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Value.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::c {

// The variable whose value this is, or (for an alloca) whose memory. Null where nobody knows.
const llvm::DILocalVariable* variable_of(const llvm::Value& value);
const llvm::DIGlobalVariable* variable_of(const llvm::GlobalVariable& global);

// "x", or what is left of the name in the module; empty if there is none.
std::string name_of(const llvm::Value& value);
std::string name_of(const llvm::GlobalVariable& global);
std::string name_of(const llvm::Function& function);

// Without typedef, const, volatile, restrict and _Atomic.
const llvm::DIType* without_qualifiers(const llvm::DIType* type);
// What a pointer or reference points to; null for other types and for void.
const llvm::DIType* pointee_of(const llvm::DIType* type);

// The innermost type that starts at `offset` within a variable of this type; null if there is none.
const llvm::DIType* type_at(const llvm::DIType* type, std::uint64_t offset);

// Where the scalars of a type start and how many bytes they have, in order. None if they overlap, as in
// unions and bit fields, or are too many.
using ScalarPlaces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
std::optional<ScalarPlaces> scalars_of(const llvm::DIType* type);

// What stands at one place within a variable.
struct MemberName {
  std::string path;  // to be appended to the variable's name: ".items", "[3].next", or nothing
  std::optional<bool> is_signed;
  bool exact = false;  // a scalar of just that size stands just there
};

// At `offset`: a cell of `bytes` bytes, or an array of such cells. `type` may be null.
MemberName member_name(const llvm::DIType* type, std::uint64_t offset, std::uint64_t bytes, bool is_array);

}  // namespace weir::c
