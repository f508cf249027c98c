#include "frontend/c/layout/pointer_words.hpp"

#include <algorithm>
#include <bit>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InstIterator.h>
#include <map>
#include <set>

namespace weir::c {

namespace {

constexpr Type kWordType{32, false};
constexpr unsigned kPrivateBit = 30, kPrivateOffsetBits = 20, kPrivateActivationBits = 10;
constexpr std::uint64_t kFirstBlockWord = std::uint64_t{1} << 31;
constexpr std::uint64_t kEndOfBlockWords = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 16);
// A little more than a block has, so that pointers around it have words too.
constexpr std::uint64_t kRoomAround = 64;
// What `malloc` gives is aligned to 16 bytes and not to more.
constexpr std::uint64_t kHeapBias = kRoomAround + 16;
// Blocks whose size is computed, by the largest size.
constexpr std::uint64_t kMagnitudes[] = {63, 255, kSmallBlocks - 1};
constexpr unsigned kFewestNumberBits = 3;

std::uint64_t ones(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

struct Field {
  unsigned low = 0, bits = 0;
};

// Where the parts of an address are: see program/address.hpp. The number of a large block is in two pieces.
struct AddressFields {
  Field offset, size, kind, thread;
  std::vector<Field> number;  // from its lowest bit on
  std::uint64_t mark = 0;
};

const AddressFields& fields_of(bool large) {
  static const AddressFields kSmall{{0, 13}, {13, 11}, {24, 3}, {40, 6}, {{27, 13}}, std::uint64_t{1} << 46};
  static const AddressFields kLarge{
      {0, 19}, {19, 19},           {38, 3},
      {56, 6}, {{41, 4}, {48, 8}}, std::uint64_t{1} << 62 | std::uint64_t{1} << 45};
  return large ? kLarge : kSmall;
}

// The bits of `from` at one place, moved to another.
ExprId moved(Expressions& build, ExprId from, Field field, unsigned to) {
  ExprId bits = build.binary(ExprOp::kBitAnd, from, build.address(ones(field.bits) << field.low));
  if (to > field.low) return build.binary(ExprOp::kShl, bits, build.address(to - field.low));
  return build.binary(ExprOp::kShr, bits, build.address(field.low - to));
}

ExprId sum(Expressions& build, ExprId a, ExprId b) { return build.binary(ExprOp::kAdd, a, b); }

}  // namespace

// --- Which blocks there are
// ---------------------------------------------------------------------------------

struct PointerWords::Demand {
  // The sizes of each kind, with the largest alignment that is asked for.
  std::map<std::pair<BlockKind, std::uint64_t>, std::uint64_t> sizes;
  std::set<BlockKind> computed;

  void add(BlockKind kind, std::uint64_t size, std::uint64_t alignment) {
    if (size > kLargestBlock) return;
    std::uint64_t& known = sizes[{kind, size}];
    known = std::max(known, alignment);
  }

  void add_variable(const llvm::AllocaInst& variable, const llvm::DataLayout& data) {
    const auto size = variable.getAllocationSize(data);
    if (!variable.isStaticAlloca() || !size || size->isScalable())
      computed.insert(BlockKind::kStack);
    else
      add(BlockKind::kStack, size->getFixedValue(), variable.getAlign().value());
  }

  void add_call(const llvm::CallBase& call) {
    static const llvm::StringMap<BlockKind> kKinds = {{"__weir_allocate", BlockKind::kHeap},
                                                      {"__weir_allocate_zeroed", BlockKind::kZeroed},
                                                      {"__weir_allocate_aligned", BlockKind::kAligned},
                                                      {"__weir_allocate_object", BlockKind::kObject},
                                                      {"__weir_allocate_array", BlockKind::kArray}};
    const llvm::Function* callee = call.getCalledFunction();
    const auto kind = callee == nullptr ? kKinds.end() : kKinds.find(callee->getName());
    if (kind == kKinds.end()) return;
    if (const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)))
      add(kind->second, size->getZExtValue(), 1);
    else
      computed.insert(kind->second);
  }
};

PointerWords::PointerWords(const llvm::Module& module, const Globals& globals,
                           const llvm::DenseSet<const llvm::AllocaInst*>& private_allocas,
                           std::uint32_t thread_limit)
    : are_addresses_(module.getDataLayout().getPointerSizeInBits() == kAddress.bits) {
  if (are_addresses_) return;
  const llvm::DataLayout& data = module.getDataLayout();
  Demand demand;
  for (const Global* global : globals.blocks())
    demand.add(BlockKind::kStack, std::max<std::uint64_t>(1, global->layout.size),
               global->variable->getAlign().valueOrOne().value());
  for (const llvm::Function& function : module) {
    for (const llvm::Argument& parameter : function.args())
      if (parameter.hasByValAttr())
        demand.add(BlockKind::kStack, data.getTypeAllocSize(parameter.getParamByValType()),
                   parameter.getParamAlign().valueOrOne().value());
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable != nullptr && !private_allocas.contains(variable))
        demand.add_variable(*variable, data);
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) demand.add_call(*call);
    }
  }
  add_regions(demand, thread_limit);
  make_room();
}

void PointerWords::add_regions(const Demand& demand, std::uint32_t thread_limit) {
  const auto add = [&](BlockKind kind, std::uint64_t least, std::uint64_t most, std::uint64_t alignment) {
    Region region{.kind = kind, .least = least, .most = most};
    const bool on_heap = kind != BlockKind::kStack && kind != BlockKind::kAligned;
    if (kind == BlockKind::kAligned) alignment = kBlockAlignment;
    region.bias = on_heap ? kHeapBias : std::bit_ceil(std::max(kRoomAround, alignment));
    region.offset_bits = static_cast<unsigned>(std::bit_width(region.bias + most + kRoomAround));
    region.number_bits =
        static_cast<unsigned>(std::bit_width((region.is_large() ? kMostBlocksWithLarge : kMostBlocks) - 1));
    region.thread_bits = static_cast<unsigned>(std::bit_width(thread_limit - 1u));
    region.size_bits = least == most ? 0 : static_cast<unsigned>(std::bit_width(most));
    regions_.push_back(region);
  };
  for (const auto& [block, alignment] : demand.sizes) add(block.first, block.second, block.second, alignment);
  for (const BlockKind kind : demand.computed) {
    std::uint64_t least = 0;
    for (const std::uint64_t most : kMagnitudes) {
      add(kind, least, most, kRoomAround);
      least = most + 1;
    }
  }
}

// Numbers of blocks get shorter where regions are widest, until all fit. What does not fit even so is left
// out.
void PointerWords::make_room() {
  const auto width = [](const Region& region) { return std::uint64_t{1} << region.bits(); };
  const auto total = [&] {
    std::uint64_t sum = 0;
    for (const Region& region : regions_) sum += width(region);
    return sum;
  };
  while (total() > kEndOfBlockWords - kFirstBlockWord) {
    const auto widest = std::ranges::max_element(regions_, {}, [&](const Region& region) {
      return region.number_bits > kFewestNumberBits ? region.bits() : 0;
    });
    if (widest->number_bits > kFewestNumberBits)
      --widest->number_bits;
    else
      regions_.erase(std::ranges::max_element(regions_, {}, &Region::bits));
  }
  std::ranges::stable_sort(regions_, std::greater{}, &Region::bits);
  std::uint64_t next = kFirstBlockWord;
  for (Region& region : regions_) {
    region.start = next;
    next += width(region);
  }
  std::ranges::stable_partition(regions_, &Region::has_one_size);
}

// --- Both ways
// ----------------------------------------------------------------------------------------------

// Is it a size that this region is for, and no other?
ExprId PointerWords::has_size_of(const Region& region, ExprId size, Expressions& build) const {
  ExprId fits = build.both(build.compare(ExprOp::kGe, size, build.address(region.least)),
                           build.compare(ExprOp::kLe, size, build.address(region.most)));
  for (const Region& other : regions_)
    if (other.has_one_size() && other.kind == region.kind && other.least >= region.least &&
        other.least <= region.most)
      fits = build.both(fits, build.compare(ExprOp::kNe, size, build.address(other.least)));
  return fits;
}

ExprId PointerWords::is_in(const Region& region, ExprId address, Expressions& build) const {
  const AddressFields& fields = fields_of(region.is_large());
  std::uint64_t free = ones(fields.offset.bits) | ones(fields.thread.bits) << fields.thread.low;
  for (const Field& piece : fields.number) free |= ones(piece.bits) << piece.low;
  std::uint64_t wanted = fields.mark | static_cast<std::uint64_t>(region.kind) << fields.kind.low;
  if (region.has_one_size())
    wanted |= region.least << fields.size.low;
  else
    free |= ones(fields.size.bits) << fields.size.low;
  const ExprId fixed = build.binary(ExprOp::kBitAnd, address, build.address(~free));
  const ExprId is_block = build.compare(ExprOp::kEq, fixed, build.address(wanted));
  if (region.has_one_size()) return is_block;
  return build.both(is_block, has_size_of(region, moved(build, address, fields.size, 0), build));
}

ExprId PointerWords::word_in(const Region& region, ExprId address, Expressions& build) const {
  const AddressFields& fields = fields_of(region.is_large());
  ExprId word = moved(build, address, fields.offset, 0);
  unsigned at = region.offset_bits;
  unsigned left = region.number_bits;
  for (const Field& piece : fields.number) {
    const unsigned bits = std::min(left, piece.bits);
    if (bits > 0) word = sum(build, word, moved(build, address, {piece.low, bits}, at));
    at += bits;
    left -= bits;
  }
  if (region.thread_bits > 0)
    word = sum(build, word, moved(build, address, {fields.thread.low, region.thread_bits}, at));
  if (region.size_bits > 0)
    word = sum(build, word, moved(build, address, fields.size, at + region.thread_bits));
  return sum(build, word, build.address(region.start + region.bias - offset_bias(region.kind)));
}

ExprId PointerWords::word_of(ExprId address, Expressions& build) const {
  if (are_addresses_) return address;
  ExprId word = address;
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region)
    word = build.select(is_in(*region, address, build), word_in(*region, address, build), word);
  // An activation of more than 10 bits, or an offset of more than 20, comes back as another one.
  const Field activation{30, kPrivateActivationBits};
  const ExprId in_frame = sum(build, moved(build, address, activation, kPrivateOffsetBits),
                              sum(build, moved(build, address, {0, kPrivateOffsetBits}, 0),
                                  build.address(std::uint64_t{1} << kPrivateBit)));
  const ExprId is_private =
      build.compare(ExprOp::kEq, build.binary(ExprOp::kShr, address, build.address(44)), build.address(1));
  return build.cast(build.select(is_private, in_frame, word), kWordType);
}

ExprId PointerWords::is_of(const Region& region, ExprId word, Expressions& build) const {
  const ExprId is_there =
      build.compare(ExprOp::kEq, build.binary(ExprOp::kShr, word, build.address(region.bits())),
                    build.address(region.start >> region.bits()));
  if (region.has_one_size()) return is_there;
  const Field size{region.bits() - region.size_bits, region.size_bits};
  return build.both(is_there, has_size_of(region, moved(build, word, size, 0), build));
}

ExprId PointerWords::address_in(const Region& region, ExprId word, Expressions& build) const {
  const AddressFields& fields = fields_of(region.is_large());
  std::uint64_t fixed = fields.mark | static_cast<std::uint64_t>(region.kind) << fields.kind.low;
  if (region.has_one_size()) fixed |= region.least << fields.size.low;
  ExprId address = moved(build, word, {0, region.offset_bits}, 0);
  unsigned at = region.offset_bits;
  unsigned left = region.number_bits;
  for (const Field& piece : fields.number) {
    const unsigned bits = std::min(left, piece.bits);
    if (bits > 0) address = sum(build, address, moved(build, word, {at, bits}, piece.low));
    at += bits;
    left -= bits;
  }
  if (region.thread_bits > 0)
    address = sum(build, address, moved(build, word, {at, region.thread_bits}, fields.thread.low));
  if (region.size_bits > 0)
    address =
        sum(build, address, moved(build, word, {at + region.thread_bits, region.size_bits}, fields.size.low));
  return sum(build, address, build.address(fixed + offset_bias(region.kind) - region.bias));
}

ExprId PointerWords::address_of(ExprId word, Expressions& build) const {
  if (are_addresses_) return word;
  word = build.cast(build.cast(word, kWordType), kAddress);
  ExprId address = word;
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region)
    address = build.select(is_of(*region, word, build), address_in(*region, word, build), address);
  const ExprId in_frame =
      sum(build, moved(build, word, {kPrivateOffsetBits, kPrivateActivationBits}, 30),
          sum(build, moved(build, word, {0, kPrivateOffsetBits}, 0), build.address(std::uint64_t{1} << 44)));
  const ExprId is_private = build.compare(
      ExprOp::kEq, build.binary(ExprOp::kShr, word, build.address(kPrivateBit)), build.address(1));
  return build.select(is_private, in_frame, address);
}

}  // namespace weir::c
