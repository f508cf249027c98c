#include "frontend/c/layout/unions.hpp"

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

// Somewhere in a variable or a union: at an offset, and at all places that array indices make of it.
struct Somewhere {
  std::uint64_t offset = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> repeats;  // stride and count

  // All offsets, unless they are too many.
  std::vector<std::uint64_t> offsets() const {
    constexpr std::size_t kMost = 1024;
    std::vector<std::uint64_t> all{offset};
    for (const auto& [stride, count] : repeats) {
      if (count > kMost / all.size()) return {offset};
      const std::vector<std::uint64_t> before = std::move(all);
      all.clear();
      for (std::uint64_t k = 0; k < count; ++k)
        for (const std::uint64_t each : before) all.push_back(each + k * stride);
    }
    return all;
  }
};

// The innermost union that a pointer points into, and the global variable; null if there is none or it does
// not show.
struct Target {
  llvm::StructType* type = nullptr;
  Somewhere in_type;
  const llvm::GlobalVariable* variable = nullptr;
  Somewhere in_variable;

  void step(std::uint64_t bytes) {
    in_type.offset += bytes;
    in_variable.offset += bytes;
  }
  void step_in_array(std::uint64_t stride, std::uint64_t count) {
    in_type.repeats.emplace_back(stride, count);
    in_variable.repeats.emplace_back(stride, count);
  }
  void enter(llvm::Type* inner) {
    if (!is_union(inner)) return;
    type = llvm::cast<llvm::StructType>(inner);
    in_type = {};
  }
  // A variable that is declared as a pointer to a union.
  void enter_declared(const llvm::Value& pointer) {
    const llvm::DILocalVariable* declared = variable_of(pointer);
    const llvm::DIType* pointee = declared == nullptr ? nullptr : pointee_of(declared->getType());
    if (pointee == nullptr || pointee->getTag() != llvm::dwarf::DW_TAG_union_type ||
        pointee->getName().empty())
      return;
    auto* found = llvm::StructType::getTypeByName(pointer.getContext(), "union." + pointee->getName().str());
    if (found != nullptr) enter(found);
  }
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

  void add(const Somewhere& where, std::uint64_t bytes, bool is_integer, bool is_store, std::uint64_t limit) {
    // An offset may be negative: then it is a large number, to which nothing must be added.
    for (const std::uint64_t offset : where.offsets())
      if (bytes <= limit && offset <= limit - bytes)
        (is_store ? stored : loaded).push_back({offset, bytes, is_integer});
  }
};

class ViewSearch {
 public:
  explicit ViewSearch(const llvm::Module& module) : data_(module.getDataLayout()) {}

  void look_at(const llvm::Instruction& instruction) {
    const bool atomic = instruction.isAtomic();
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      note(*load->getPointerOperand(), *load->getType(), false, atomic);
    else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      note(*store->getPointerOperand(), *store->getValueOperand()->getType(), true, atomic);
    else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      note(*update->getPointerOperand(), *update->getType(), true, atomic);
    else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      note(*exchange->getPointerOperand(), *exchange->getNewValOperand()->getType(), true, atomic);
  }

  const std::map<llvm::StructType*, Views>& unions() const { return unions_; }
  const std::map<const llvm::GlobalVariable*, Views>& scalars() const { return scalars_; }
  const std::map<const llvm::GlobalVariable*, Views>& atomics() const { return atomics_; }

 private:
  void note(const llvm::Value& pointer, const llvm::Type& type, bool is_store, bool atomic) {
    const auto cell = cell_type(&type, data_);
    const auto target = cell ? target_of(pointer, 0) : std::nullopt;
    if (!target) return;
    const std::uint64_t bytes = cell->bits / 8u;
    const bool is_integer = type.isIntegerTy();
    if (target->type != nullptr)
      unions_[target->type].add(target->in_type, bytes, is_integer, is_store,
                                data_.getTypeAllocSize(target->type));
    if (target->variable == nullptr) return;
    llvm::Type* whole = target->variable->getValueType();
    const std::uint64_t size = data_.getTypeAllocSize(whole);
    if (whole->isIntegerTy())
      scalars_[target->variable].add(target->in_variable, bytes, is_integer, is_store, size);
    else if (atomic)
      atomics_[target->variable].add(target->in_variable, bytes, is_integer, is_store, size);
  }

  // None if nothing is known, or an index that is not that of an array leads anywhere.
  std::optional<Target> target_of(const llvm::Value& pointer, unsigned depth) {
    if (depth > 16) return std::nullopt;
    Target target;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&pointer)) {
      if (!global->getValueType()->isSized()) return std::nullopt;
      target.variable = global;
      target.enter(global->getValueType());
    } else if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&pointer)) {
      target.enter(local->getAllocatedType());
    } else if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) {
      return along(*gep, depth);
    } else {
      target.enter_declared(pointer);
    }
    return target;
  }

  std::optional<Target> along(const llvm::GEPOperator& gep, unsigned depth) {
    auto target = target_of(*gep.getPointerOperand(), depth + 1);
    if (!target) return std::nullopt;
    const llvm::Type* container = nullptr;  // what the index goes into; the first one goes along a pointer
    for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep);
         container = step.getIndexedType(), ++step) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
      if (llvm::StructType* structure = step.getStructTypeOrNull()) {
        const auto field = static_cast<unsigned>(index->getZExtValue());
        target->step(data_.getStructLayout(structure)->getElementOffset(field));
      } else {
        const std::uint64_t stride = step.getSequentialElementStride(data_);
        if (container != nullptr && container->isArrayTy() && container->getArrayNumElements() > 0)
          target->step_in_array(stride, container->getArrayNumElements());
        else if (index != nullptr)
          target->step(index->getValue().sextOrTrunc(64).getZExtValue() * stride);
        else
          return std::nullopt;
      }
      target->enter(step.getIndexedType());
    }
    return target;
  }

  const llvm::DataLayout& data_;
  std::map<llvm::StructType*, Views> unions_;
  std::map<const llvm::GlobalVariable*, Views> scalars_, atomics_;
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

std::vector<CellRun> runs_of(std::vector<View> views) {
  std::sort(views.begin(), views.end(), [](const View& a, const View& b) { return a.offset < b.offset; });
  std::vector<CellRun> runs;
  for (const View& view : views) {
    if (!runs.empty() && runs.back().end() == view.offset && runs.back().bytes == view.bytes &&
        runs.back().is_integer == view.is_integer) {
      ++runs.back().count;
    } else {
      runs.push_back({view.offset, view.bytes, view.bytes, 1, view.is_integer, true});
    }
  }
  return runs;
}

std::vector<View> views_of(const TypeLayout& layout) {
  std::vector<View> views;
  for (const CellRun& run : layout.runs)
    for (std::uint64_t k = 0; k < run.count; ++k)
      views.push_back({run.offset + k * run.stride, run.bytes, run.is_integer});
  return views;
}

std::vector<CellRun> cells_of(const Views& views, const TypeLayout& usual) {
  std::vector<View> chosen, bytes;
  add_views(views.stored, chosen);
  add_views(views.loaded, chosen);
  add_views(views_of(usual), chosen);
  for (std::uint64_t i = 0; i < usual.size; ++i) bytes.push_back({i, 1});
  add_views(bytes, chosen);
  return runs_of(std::move(chosen));
}

// Does it hit a cell as a whole, or lie within one?
bool within_a_cell(const TypeLayout& layout, const View& view) {
  const auto runs = layout.slice(view.offset, view.end());
  return runs.size() == 1 && runs.front().count == 1 && runs.front().offset <= view.offset &&
         runs.front().end() >= view.end();
}

}  // namespace

bool is_union(const llvm::Type* type) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure != nullptr && !structure->isLiteral() && structure->getName().starts_with("union.") &&
         structure->isSized();
}

// What is larger is seen as LLVM lays it out: looking at every byte would take too long.
constexpr std::uint64_t kLargestUnion = 1 << 14;

CellsInUse cells_in_use(const llvm::Module& module) {
  ViewSearch search(module);
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) search.look_at(instruction);
  Layouts usual(module.getDataLayout());
  CellsInUse result;
  for (const auto& [type, views] : search.unions()) {
    const TypeLayout& layout = usual.of(type);
    const auto as_usual = [&](const View& view) { return covers(layout.runs, view); };
    if (layout.size > kLargestUnion) continue;
    if (std::all_of(views.stored.begin(), views.stored.end(), as_usual) &&
        std::all_of(views.loaded.begin(), views.loaded.end(), as_usual))
      continue;
    result.unions.emplace(type, cells_of(views, layout));
  }
  for (const auto& [variable, views] : search.scalars()) {
    const TypeLayout& layout = usual.of(variable->getValueType());
    const auto whole = [&](const View& view) { return view.bytes == layout.size; };
    if (layout.size > kLargestUnion) continue;
    if (std::any_of(views.stored.begin(), views.stored.end(), whole) ||
        std::any_of(views.loaded.begin(), views.loaded.end(), whole))
      continue;
    result.variables.emplace(variable, cells_of(views, layout));
  }
  // An atomic structure is one cell.
  Layouts with_unions(module.getDataLayout(), result.unions);
  for (const auto& [variable, views] : search.atomics()) {
    std::vector<View> all = views.stored;
    all.insert(all.end(), views.loaded.begin(), views.loaded.end());
    const TypeLayout layout = with_unions.of(variable->getValueType());
    std::erase_if(all, [&](const View& view) { return within_a_cell(layout, view); });
    if (all.empty() || layout.size > kLargestUnion) continue;
    std::vector<View> chosen;
    add_views(all, chosen);
    add_views(views_of(layout), chosen);
    result.variables.emplace(variable, runs_of(std::move(chosen)));
  }
  return result;
}

}  // namespace weir::c
