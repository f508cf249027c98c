#include "engine/failure.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/address.hpp"

namespace weir {

namespace {

const char* describe(FailureKind kind) {
  switch (kind) {
    case FailureKind::kAssertion: return "assertion fails";
    case FailureKind::kDivision: return "division by zero";
    case FailureKind::kAddress: return "access to an address that belongs to no variable";
    case FailureKind::kBounds: return "access out of bounds";
    case FailureKind::kConstant: return "write to a constant";
    case FailureKind::kWidth: return "access of another width than the variable's";
    case FailureKind::kFreed: return "access to memory that was released";
    case FailureKind::kNotInitialised: return "read of memory that is not initialised";
    case FailureKind::kMark: return "store of the number that stands for uninitialised memory";
    case FailureKind::kBadFree: return "release of what is not an allocated block, or no longer";
  }
  return "?";
}

// A block from one of C++'s operators, or one that such an operator releases, has a partner of its own.
const char* describe_release(Value address, BlockKind released_as) {
  const bool start = address_kind(address) == AddressKind::kBlock && decode_block(address).offset == 0;
  const BlockKind kind = start ? decode_block(address).kind : released_as;
  if (releases(released_as, kind) || kind == BlockKind::kStack) return describe(FailureKind::kBadFree);
  if (kind == BlockKind::kObject) return "memory from new is not released by delete";
  if (kind == BlockKind::kArray) return "memory from new[] is not released by delete[]";
  if (released_as == BlockKind::kObject) return "memory that is not from new is released by delete";
  if (released_as == BlockKind::kArray) return "memory that is not from new[] is released by delete[]";
  return describe(FailureKind::kBadFree);
}

// Is the address one of the first 4096, which no object of the program uses?
bool null_page(const Program& program, Value address) {
  constexpr Value kPage = 4096;
  const auto in_page = [](const SharedObject& object) { return object.base < kPage; };
  return address >= 0 && address < kPage && !program.open_memory &&
         std::ranges::none_of(program.objects, in_page);
}

}  // namespace

Violation failure_of(const Program& program, const Action& action, FailureKind kind) {
  const Edge& edge = program.edge(action.edge);
  const bool bad_release = kind == FailureKind::kBadFree && !program.open_memory;
  std::string message =
      bad_release ? describe_release(action.address, edge.instruction.block) : describe(kind);
  if (kind == FailureKind::kAddress && null_page(program, action.address))
    message = "access through a null pointer";
  else if (kind > FailureKind::kWidth || kind == FailureKind::kBounds || kind == FailureKind::kConstant)
    message += ": " + program.address_name(action.address);
  else if (kind == FailureKind::kAssertion && !edge.instruction.message.empty())
    message += ": " + edge.instruction.message;
  return {is_memory_failure(kind) ? ViolationKind::kMemory : ViolationKind::kAssertion, std::move(message),
          edge.position};
}

Violation late_flush(const Program& program, Value address) {
  return {ViolationKind::kMemory,
          fmt::format("a buffered store reaches memory that was released: {}", program.address_name(address)),
          {}};
}

Diagnostic what_is_left_out(const Program& program, EdgeId id) {
  const Edge& edge = program.edge(id);
  Diagnostic told{Severity::kWarning, {}, edge.position, {}};
  switch (edge.instruction.op) {
    case Opcode::kHalt: told.message = edge.instruction.message; break;
    case Opcode::kAllocate:
      told.message = fmt::format("a thread allocates more than {} blocks, or one of more than {} bytes",
                                 kMostBlocks, kLargestBlock);
      break;
    default:
      told.message =
          "an access touches a part of a variable, or several at once, or a large block by an address "
          "without its highest bits, or by a pointer what no file defines";
      told.hint = "memory that threads may share is read with the size it is written with";
  }
  return told;
}

}  // namespace weir
