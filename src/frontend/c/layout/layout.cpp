#include "frontend/c/layout/layout.hpp"

#include <algorithm>

namespace weir::c {

namespace {

constexpr std::size_t kMostRuns = 1 << 18;
constexpr unsigned kWideBits = 128;  // of integers that are two words

class Flattening {
 public:
  Flattening(const llvm::DataLayout& data, const UnionCells& unions, TypeLayout& out)
      : data_(data), unions_(unions), out_(out) {}

  void add(llvm::Type* type, std::uint64_t offset, bool otherwise) {
    if (out_.too_big) return;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
      return add_structure(structure, offset, otherwise);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return add_elements(array->getElementType(), array->getNumElements(), offset, otherwise);
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return add_elements(vector->getElementType(), vector->getNumElements(), offset, otherwise);
    add_scalars(type, 1, offset, otherwise);
  }

 private:
  void add_structure(llvm::StructType* type, std::uint64_t offset, bool otherwise) {
    if (type->isOpaque()) return;
    if (const auto seen = unions_.find(type); seen != unions_.end()) {
      for (CellRun run : seen->second) {
        run.offset += offset;
        out_.runs.push_back(run);
      }
      return;
    }
    otherwise |= type->isLiteral() || type->getName().starts_with("union.");
    const llvm::StructLayout* layout = data_.getStructLayout(type);
    for (unsigned i = 0; i < type->getNumElements(); ++i)
      add(type->getElementType(i), offset + layout->getElementOffset(i), otherwise);
  }

  void add_elements(llvm::Type* element, std::uint64_t count, std::uint64_t offset, bool otherwise) {
    if (count == 0) return;
    if (scalar_type(element)) return add_scalars(element, count, offset, otherwise);
    const std::uint64_t size = data_.getTypeAllocSize(element);
    if (size == 0) return;
    for (std::uint64_t i = 0; i < count && !out_.too_big; ++i) add(element, offset + i * size, otherwise);
  }

  // What is wider than a cell can be is taken as bytes.
  void add_scalars(llvm::Type* type, std::uint64_t count, std::uint64_t offset, bool otherwise) {
    const std::uint64_t stride = data_.getTypeAllocSize(type);
    if (stride == 0) return;
    CellRun run{.offset = offset,
                .bytes = data_.getTypeStoreSize(type),
                .stride = stride,
                .count = count,
                .is_integer = type->isIntegerTy(),
                .may_be_seen_otherwise = otherwise};
    if (type->isIntegerTy(kWideBits)) run = {offset, 8, 8, 2 * count, true, otherwise};
    if (run.bytes > 8) run = {offset, 1, 1, count * stride, true, true};
    out_.runs.push_back(run);
    if (out_.runs.size() > kMostRuns) out_.too_big = true;
  }

  const llvm::DataLayout& data_;
  const UnionCells& unions_;
  TypeLayout& out_;
};

// The cells of `run` that have a byte in [from, to), all given as offsets from the same start.
std::optional<CellRun> clip(CellRun run, std::uint64_t from, std::uint64_t to) {
  if (run.end() <= from || run.offset >= to) return std::nullopt;
  std::uint64_t first = from <= run.offset ? 0 : (from - run.offset) / run.stride;
  if (run.offset + first * run.stride + run.bytes <= from)
    ++first;  // `from` is in the padding after that cell
  const std::uint64_t last = std::min(run.count - 1, (to - 1 - run.offset) / run.stride);
  if (first > last) return std::nullopt;
  run.offset += first * run.stride;
  run.count = last - first + 1;
  return run;
}

}  // namespace

std::optional<Type> scalar_type(const llvm::Type* type) {
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) {
    const auto bits = static_cast<std::uint8_t>(type->getIntegerBitWidth());
    return Type{bits, bits != 1};
  }
  if (type->isPointerTy() && type->getPointerAddressSpace() == 0) return Type{64, false};
  if (type->isFloatTy()) return Type{32, false};
  if (type->isDoubleTy()) return Type{64, false};
  return std::nullopt;
}

std::optional<Type> cell_type(const llvm::Type* type, const llvm::DataLayout& data) {
  auto scalar = scalar_type(type);
  if (!scalar) return std::nullopt;
  if (type->isPointerTy()) scalar->bits = static_cast<std::uint8_t>(data.getPointerSizeInBits());
  scalar->bits = static_cast<std::uint8_t>((scalar->bits + 7) / 8 * 8);
  return scalar;
}

// Cells of one kind side by side: however often the layout is repeated, that is one run.
std::optional<CellRun> TypeLayout::repeated_run(std::uint64_t from, std::uint64_t to) const {
  if (runs.size() != 1 || runs[0].offset != 0 || runs[0].stride * runs[0].count != size) return std::nullopt;
  CellRun run = runs[0];
  run.offset = from / size * size;
  run.count = (to - run.offset - 1) / run.stride + 1;
  return clip(run, from, to);
}

std::vector<CellRun> TypeLayout::slice(std::uint64_t from, std::uint64_t to) const {
  std::vector<CellRun> result;
  if (size == 0 || runs.empty() || from >= to || (to > size && !repeats)) return result;
  if (const auto run = repeated_run(from, to)) return {*run};
  if ((to - from) / size > kMostRuns / runs.size()) return result;
  for (std::uint64_t start = from / size * size; start < to; start += size) {
    const auto reaches = [&](const CellRun& run, std::uint64_t at) { return start + run.end() <= at; };
    for (auto run = std::lower_bound(runs.begin(), runs.end(), from, reaches);
         run != runs.end() && start + run->offset < to; ++run) {
      CellRun moved = *run;
      moved.offset += start;
      if (const auto clipped = clip(moved, from, to)) result.push_back(*clipped);
    }
  }
  return result;
}

const TypeLayout& Layouts::of(llvm::Type* type) {
  const auto [entry, is_new] = known_.try_emplace(type);
  TypeLayout& layout = entry->second;
  if (is_new && type->isSized()) {
    layout.size = data_.getTypeAllocSize(type);
    Flattening(data_, unions_, layout).add(type, 0, false);
  }
  return layout;
}

namespace {

bool add_leaves(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& data,
                std::vector<Leaf>& out) {
  constexpr std::size_t kMostLeaves = 4096;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (structure->isOpaque()) return false;
    const llvm::StructLayout* layout = data.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!add_leaves(structure->getElementType(i), offset + layout->getElementOffset(i), data, out))
        return false;
    return true;
  }
  if (type->isArrayTy() || llvm::isa<llvm::FixedVectorType>(type)) {
    llvm::Type* element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
    const std::uint64_t count = type->isArrayTy() ? type->getArrayNumElements()
                                                  : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    const std::uint64_t size = data.getTypeAllocSize(element);
    for (std::uint64_t i = 0; i < count; ++i)
      if (!add_leaves(element, offset + i * size, data, out)) return false;
    return true;
  }
  if (type->isIntegerTy(kWideBits)) {
    llvm::Type* word = llvm::Type::getInt64Ty(type->getContext());
    return add_leaves(word, offset, data, out) && add_leaves(word, offset + 8, data, out);
  }
  if (!scalar_type(type) || out.size() >= kMostLeaves) return false;
  out.push_back({offset, type});
  return true;
}

}  // namespace

std::optional<std::vector<Leaf>> leaves_of(llvm::Type* type, const llvm::DataLayout& data) {
  std::vector<Leaf> leaves;
  if (!add_leaves(type, 0, data, leaves)) return std::nullopt;
  return leaves;
}

std::size_t leaf_index(llvm::Type* type, llvm::ArrayRef<unsigned> indices, const llvm::DataLayout& data) {
  std::size_t before = 0;
  const auto count = [&](llvm::Type* part) {
    const auto leaves = leaves_of(part, data);
    return leaves ? leaves->size() : 0;
  };
  for (const unsigned index : indices) {
    if (type->isArrayTy()) {
      before += index * count(type->getArrayElementType());
      type = type->getArrayElementType();
      continue;
    }
    for (unsigned i = 0; i < index; ++i) before += count(type->getStructElementType(i));
    type = type->getStructElementType(index);
  }
  return before;
}

bool is_declared_type(const llvm::Type* type) {
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) return !structure->isLiteral();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return is_declared_type(array->getElementType());
  return true;
}

}  // namespace weir::c
