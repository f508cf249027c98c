#include "frontend/c/layout_unions.hpp"

#include <algorithm>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <map>
#include <optional>

#include "frontend/c/names.hpp"

namespace weir::c {

namespace {

// In a union, or in a global variable of an integer type.
struct UnionPlace {
  llvm::StructType* type = nullptr;
  const llvm::GlobalVariable* scalar = nullptr;
  std::uint64_t offset = 0;
};

struct View {
  std::uint64_t offset = 0, bytes = 0;
  bool is_integer = true;

  std::uint64_t end() const { return offset + bytes; }
  bool overlaps(const View& other) const { return offset < other.end() && other.offset < end(); }
};

// A member of a union that is seen in several ways has several views, of which those that are stored come
// first.
struct Views {
  std::vector<View> stored, loaded;
};

class ViewSearch {
 public:
  explicit ViewSearch(const llvm::Module& module) : data_(module.getDataLayout()) {}

  void look_at(const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      note(*load->getPointerOperand(), *load->getType(), false);
    else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      note(*store->getPointerOperand(), *store->getValueOperand()->getType(), true);
    else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      note(*update->getPointerOperand(), *update->getType(), true);
    else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      note(*exchange->getPointerOperand(), *exchange->getNewValOperand()->getType(), true);
  }

  const std::map<llvm::StructType*, Views>& unions() const { return unions_; }
  const std::map<const llvm::GlobalVariable*, Views>& scalars() const { return scalars_; }

 private:
  void note(const llvm::Value& pointer, const llvm::Type& type, bool stored) {
    const auto cell = cell_type(&type);
    const auto place = cell ? place_of(pointer, 0) : std::nullopt;
    if (!place) return;
    const View view{place->offset, cell->bits / 8u, type.isIntegerTy()};
    llvm::Type* whole = place->scalar != nullptr ? place->scalar->getValueType() : place->type;
    if (view.end() > data_.getTypeAllocSize(whole)) return;
    Views& views = place->scalar != nullptr ? scalars_[place->scalar] : unions_[place->type];
    (stored ? views.stored : views.loaded).push_back(view);
  }

  // The innermost union that the pointer points into, if its type shows.
  std::optional<UnionPlace> place_of(const llvm::Value& pointer, unsigned depth) {
    if (depth > 16) return std::nullopt;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&pointer)) {
      if (global->getValueType()->isIntegerTy()) return UnionPlace{.scalar = global};
      return start(global->getValueType());
    }
    if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&pointer))
      return start(local->getAllocatedType());
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) return along(*gep, depth);
    return declared_place(pointer);
  }

  static std::optional<UnionPlace> start(llvm::Type* type) {
    if (!is_union(type)) return std::nullopt;
    return UnionPlace{.type = llvm::cast<llvm::StructType>(type)};
  }

  std::optional<UnionPlace> along(const llvm::GEPOperator& gep, unsigned depth) {
    std::optional<UnionPlace> place = place_of(*gep.getPointerOperand(), depth + 1);
    for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
      if (llvm::StructType* structure = step.getStructTypeOrNull()) {
        const std::uint64_t field = index->getZExtValue();
        if (place)
          place->offset += data_.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(field));
      } else if (place && index != nullptr) {
        place->offset += index->getZExtValue() * step.getSequentialElementStride(data_);
      }
      if (is_union(step.getIndexedType()))
        place = UnionPlace{.type = llvm::cast<llvm::StructType>(step.getIndexedType())};
    }
    return place;
  }

  // A variable that is declared as a pointer to a union.
  static std::optional<UnionPlace> declared_place(const llvm::Value& pointer) {
    const llvm::DILocalVariable* variable = variable_of(pointer);
    const llvm::DIType* type = variable == nullptr ? nullptr : pointee_of(variable->getType());
    if (type == nullptr || type->getTag() != llvm::dwarf::DW_TAG_union_type || type->getName().empty())
      return std::nullopt;
    auto* found = llvm::StructType::getTypeByName(pointer.getContext(), "union." + type->getName().str());
    return found == nullptr ? std::nullopt : std::optional(UnionPlace{.type = found});
  }

  const llvm::DataLayout& data_;
  std::map<llvm::StructType*, Views> unions_;
  std::map<const llvm::GlobalVariable*, Views> scalars_;
};

// Adds views that overlap none of those there; of several that overlap, the widest.
void add_views(std::vector<View> candidates, std::vector<View>& chosen) {
  std::sort(candidates.begin(), candidates.end(), [](const View& a, const View& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.offset < b.offset;
  });
  const auto same = [](const View& a, const View& b) { return a.offset == b.offset && a.bytes == b.bytes; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  for (const View& view : candidates)
    if (std::none_of(chosen.begin(), chosen.end(), [&](const View& other) { return other.overlaps(view); }))
      chosen.push_back(view);
}

bool covers(const std::vector<CellRun>& runs, const View& view) {
  return std::any_of(runs.begin(), runs.end(), [&](const CellRun& run) {
    return run.bytes == view.bytes && view.offset >= run.offset && view.end() <= run.end() &&
           (view.offset - run.offset) % run.stride == 0;
  });
}

std::vector<CellRun> cells_of(const Views& views, const TypeLayout& usual) {
  std::vector<View> chosen;
  add_views(views.stored, chosen);
  add_views(views.loaded, chosen);
  std::vector<View> rest, bytes;
  for (const CellRun& run : usual.runs)
    for (std::uint64_t k = 0; k < run.count; ++k)
      rest.push_back({run.offset + k * run.stride, run.bytes, run.is_integer});
  for (std::uint64_t i = 0; i < usual.size; ++i) bytes.push_back({i, 1});
  add_views(rest, chosen);
  add_views(bytes, chosen);
  std::sort(chosen.begin(), chosen.end(), [](const View& a, const View& b) { return a.offset < b.offset; });

  std::vector<CellRun> runs;
  for (const View& view : chosen) {
    if (!runs.empty() && runs.back().end() == view.offset && runs.back().bytes == view.bytes &&
        runs.back().is_integer == view.is_integer) {
      ++runs.back().count;
    } else {
      runs.push_back({view.offset, view.bytes, view.bytes, 1, view.is_integer, true});
    }
  }
  return runs;
}

}  // namespace

bool is_union(const llvm::Type* type) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure != nullptr && !structure->isLiteral() && structure->getName().starts_with("union.") &&
         structure->isSized();
}

CellsInUse cells_in_use(const llvm::Module& module) {
  ViewSearch search(module);
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) search.look_at(instruction);
  Layouts usual(module.getDataLayout());
  CellsInUse result;
  for (const auto& [type, views] : search.unions()) {
    const TypeLayout& layout = usual.of(type);
    const auto as_usual = [&](const View& view) { return covers(layout.runs, view); };
    if (std::all_of(views.stored.begin(), views.stored.end(), as_usual) &&
        std::all_of(views.loaded.begin(), views.loaded.end(), as_usual))
      continue;
    result.unions.emplace(type, cells_of(views, layout));
  }
  for (const auto& [variable, views] : search.scalars()) {
    const TypeLayout& layout = usual.of(variable->getValueType());
    const auto whole = [&](const View& view) { return view.bytes == layout.size; };
    if (std::any_of(views.stored.begin(), views.stored.end(), whole) ||
        std::any_of(views.loaded.begin(), views.loaded.end(), whole))
      continue;
    result.scalars.emplace(variable, cells_of(views, layout));
  }
  return result;
}

}  // namespace weir::c
