#include "frontend/c/instructions/cell_access.hpp"

#include <algorithm>

namespace weir::c {

CellAccess::CellAccess(FunctionLowering& lowering, const llvm::Value& pointer, AccessKind kind, Extent extent)
    : lowering_(lowering),
      emitter_(lowering.emitter),
      build_(lowering.build),
      place_(lowering.module.places.of(pointer)),
      address_(lowering.use(pointer)),
      kind_(kind),
      extent_(extent) {}

bool CellAccess::hits_shared_wide_number(const std::vector<Leaf>& leaves) const {
  return place_.owner != Owner::kPrivate &&
         std::ranges::any_of(leaves, [](const Leaf& leaf) { return leaf.type->isIntegerTy(64); });
}

// What overlaps in a union is what the program wants to overlap.
bool CellAccess::is_one_event(const Place& place, std::uint64_t bytes) const {
  return extent_ == Extent::kWhole ||
         (place.owner == Owner::kGlobal && place.layout != nullptr && is_seen_otherwise(place, bytes));
}

std::vector<Part> CellAccess::parts_at(std::uint64_t offset, std::uint64_t bytes) const {
  Place place = place_;
  place.offset += offset;
  std::vector<Part> parts = parts_of(place, bytes);
  if (place.owner != Owner::kPrivate && is_one_event(place, bytes) && is_covered(parts, bytes)) return {};
  const bool is_fixed = place.owner == Owner::kGlobal || place.owner == Owner::kPrivate;
  if (!is_fixed && lowering_.module.separate_cells.are_side_by_side(place, parts, bytes)) return parts;
  if (!is_split(place, parts, bytes) || (!kind_.plain && place.owner != Owner::kGlobal)) parts.clear();
  return parts;
}

ExprId CellAccess::load(std::uint64_t offset, llvm::Type* type, RegisterId result) {
  const Type cell = *cell_type(type, lowering_.data());
  const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
  if (!parts.empty()) return lowering_.as_loaded(combine(offset, parts, cell), *type);
  if (result && emitter_.graph.registers[result.index()].type == cell)
    return emitter_.value_of(emitter_.load(at(offset), cell, kind_, result));
  return lowering_.as_loaded(emitter_.value_of(emitter_.load(at(offset), cell, kind_)), *type);
}

bool CellAccess::store(std::uint64_t offset, llvm::Type* type, ExprId value) {
  const Type cell = *cell_type(type, lowering_.data());
  const std::vector<Part> parts = parts_at(offset, cell.bits / 8);
  value = lowering_.as_stored(value, *type);
  const auto whole = [&](const Part& part) {
    return part.offset >= 0 && static_cast<std::uint64_t>(part.offset) + part.bytes <= cell.bits / 8u;
  };
  const bool in_cells = !parts.empty() && std::ranges::all_of(parts, whole);
  if (!in_cells) {
    if (!parts.empty() && !is_covered(parts, cell.bits / 8u)) return false;
    emitter_.store(at(offset), as_cell(value, cell), cell, kind_);
    return true;
  }
  const Type word{cell.bits, false};
  const ExprId all = emitter_.in_register(build_.cast(build_.as_unsigned(value), word));
  for (const Part& part : parts) {
    const ExprId shifted = build_.binary(ExprOp::kShr, all, build_.constant(part.offset * 8, word));
    const Type piece{static_cast<std::uint8_t>(part.bytes * 8), false};
    emitter_.store(at(offset + static_cast<std::uint64_t>(part.offset)), build_.cast(shifted, piece), piece,
                   kind_);
  }
  return true;
}

void CellAccess::keep_address() { address_ = emitter_.in_register(address_); }

ExprId CellAccess::at(std::uint64_t offset) {
  if (offset == 0) return address_;
  address_ = emitter_.in_register(address_);
  return build_.plus(address_, static_cast<Value>(offset));
}

// Loads every cell and takes what is needed of each. Padding is 0.
ExprId CellAccess::combine(std::uint64_t offset, const std::vector<Part>& parts, Type cell) {
  const Type word{cell.bits, false};
  keep_address();
  ExprId whole = build_.constant(0, word);
  for (const Part& part : parts) {
    const Type piece{static_cast<std::uint8_t>(part.bytes * 8), false};
    const ExprId address = build_.plus(at(offset), part.offset);
    const ExprId value = emitter_.value_of(emitter_.load(address, piece, kind_));
    const Type wide{std::max(word.bits, piece.bits), false};
    ExprId moved = build_.cast(value, wide);
    moved = part.offset >= 0 ? build_.binary(ExprOp::kShl, moved, build_.constant(part.offset * 8, wide))
                             : build_.binary(ExprOp::kShr, moved, build_.constant(-part.offset * 8, wide));
    moved = build_.cast(moved, word);
    whole = build_.number(whole) == 0 ? moved : build_.binary(ExprOp::kBitOr, whole, moved);
  }
  return build_.cast(whole, cell);
}

// A scalar of less than a byte is a whole one in memory.
ExprId CellAccess::as_cell(ExprId value, Type cell) {
  return build_.type(value).bits == cell.bits ? value : build_.cast(build_.as_unsigned(value), cell);
}

}  // namespace weir::c
