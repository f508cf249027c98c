// What globals start with, and the shared objects that they become.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "frontend/c/layout/globals.hpp"
#include "frontend/c/names.hpp"

namespace weir::c {

const Globals::Image& Globals::image_of(const Global& global) {
  const auto [entry, is_new] = images_.try_emplace(global.variable);
  if (!is_new) return entry->second;
  Image& image = entry->second;
  image.bytes.resize(global.layout.size);
  image.defined.assign(global.layout.size, true);
  if (global.variable->hasInitializer()) {
    initialised_ = global.variable;
    fill(image, *global.variable->getInitializer(), 0);
    initialised_ = nullptr;
  } else if (is_standard_stream(*global.variable)) {
    const auto stream = static_cast<std::uint64_t>(ranges_.streams + global.address - ranges_.variables);
    for (std::size_t i = 0; i < image.bytes.size() && i < 8; ++i)
      image.bytes[i] = static_cast<std::uint8_t>(stream >> 8 * i);
  }
  return image;
}

void Globals::fill(Image& image, const llvm::Constant& constant, std::uint64_t offset) {
  const std::uint64_t size = layouts_.data().getTypeStoreSize(constant.getType());
  if (offset + size > image.bytes.size() || constant.isNullValue()) return;
  if (llvm::isa<llvm::UndefValue>(constant)) {
    std::fill_n(image.defined.begin() + static_cast<std::ptrdiff_t>(offset), size, false);
    return;
  }
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const llvm::StringRef raw = data->getRawDataValues();
    std::copy(raw.begin(), raw.end(), image.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    return;
  }
  if (llvm::isa<llvm::ConstantAggregate>(constant)) {
    const auto* structure = llvm::dyn_cast<llvm::StructType>(constant.getType());
    const llvm::StructLayout* layout =
        structure == nullptr ? nullptr
                             : layouts_.data().getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
      const auto& element = *llvm::cast<llvm::Constant>(constant.getOperand(i));
      const std::uint64_t at = layout != nullptr
                                   ? layout->getElementOffset(i).getFixedValue()
                                   : i * layouts_.data().getTypeAllocSize(element.getType()).getFixedValue();
      fill(image, element, offset + at);
    }
    return;
  }
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    const llvm::APInt bits = integer->getValue().zext(static_cast<unsigned>(size) * 8);
    for (std::uint64_t i = 0; i < size; ++i)
      image.bytes[offset + i] =
          static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(8, static_cast<unsigned>(i) * 8));
    return;
  }
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      expression != nullptr && expression->getOpcode() == llvm::Instruction::IntToPtr &&
      layouts_.data().getTypeStoreSize(expression->getOperand(0)->getType()) == size)
    return fill(image, *expression->getOperand(0), offset);
  const auto value = number(constant);
  for (std::uint64_t i = 0; i < size && i < 8; ++i)
    image.bytes[offset + i] =
        static_cast<std::uint8_t>(static_cast<std::uint64_t>(value.value_or(0)) >> 8 * i);
  if (!value) std::fill_n(image.defined.begin() + static_cast<std::ptrdiff_t>(offset), size, false);
}

std::vector<Value> Globals::initial_values(const Global& global, const CellRun& run, Type type) {
  const Image& image = image_of(global);
  std::vector<Value> values;
  values.reserve(run.count);
  for (std::uint64_t k = 0; k < run.count; ++k) {
    const std::uint64_t offset = run.offset + k * run.stride;
    std::uint64_t word = 0;
    bool any_defined = false;
    for (std::uint64_t i = 0; i < run.bytes; ++i) {
      if (!image.defined[offset + i]) continue;
      word |= std::uint64_t{image.bytes[offset + i]} << 8 * i;
      any_defined = true;
    }
    values.push_back(any_defined ? wrap(word, type) : kUninitialised);
  }
  return values;
}

// --- Objects
// ------------------------------------------------------------------------------------------------

void Globals::use_initialisers() {
  bool changed = true;
  std::size_t seen = 0;
  while (changed) {
    for (const Global& global : globals_)
      if (global.used && global.problem == GlobalProblem::kNone) image_of(global);
    changed = images_.size() != seen;
    seen = images_.size();
  }
}

namespace {

// A string constant is shown as what it says.
std::string text_constant(const llvm::GlobalVariable& variable) {
  constexpr std::size_t kLongest = 24;
  if (!variable.hasInitializer() || !variable.isConstant()) return "";
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(variable.getInitializer());
  if (data == nullptr || !data->isCString()) return "";
  const llvm::StringRef text = data->getAsCString();
  return fmt::format("\"{}{}\"", text.substr(0, kLongest).str(), text.size() > kLongest ? "..." : "");
}

std::string plain_name(const llvm::GlobalVariable& variable) {
  if (variable.hasGlobalUnnamedAddr())
    if (std::string text = text_constant(variable); !text.empty()) return text;
  return name_of(variable);
}

Type type_of_run(const CellRun& run, const MemberName& member) {
  return {static_cast<std::uint8_t>(run.bytes * 8), member.is_signed.value_or(run.is_integer)};
}

// Without debug information: by position.
std::string position_path(const TypeLayout& layout, const CellRun& run) {
  return layout.runs.size() == 1 && run.offset == 0 ? "" : fmt::format("+{}", run.offset);
}

// The slots of threads, which the runtime knows and the user does not.
std::string thread_slot_name(const TypeLayout& layout, const CellRun& run, std::uint32_t threads) {
  constexpr const char* kFields[] = {"start", "argument", "result", "state", "flags"};
  const std::uint64_t size = layout.size / std::max<std::uint64_t>(1, threads);
  const std::uint64_t slot = run.offset / size;
  const auto fields = layout.runs.size() / std::max<std::uint64_t>(1, threads);
  std::size_t field = static_cast<std::size_t>(&run - layout.runs.data());
  field = fields == 0 ? 0 : field % fields;
  const std::string thread = slot == 0 ? "main" : fmt::format("t{}", slot);
  return field < std::size(kFields) ? fmt::format("{}.{}", thread, kFields[field])
                                    : fmt::format("{}+{}", thread, run.offset % size);
}

}  // namespace

void Globals::add_objects_of(const Global& global, const std::string& name, Value address, Program& program,
                             Positions& positions) {
  const auto* variable = variable_of(*global.variable);
  const llvm::DIType* type = variable == nullptr ? nullptr : variable->getType();
  for (const CellRun& run : global.layout.runs) {
    const MemberName member = member_name(type, run.offset, run.bytes, run.count > 1);
    std::string path = member.path;
    if (path.empty() && !member.exact) path = position_path(global.layout, run);
    SharedObject object{.name = global.variable->getName() == kThreadTable
                                    ? thread_slot_name(global.layout, run, thread_limit_)
                                    : name + path,
                        .base = address + static_cast<Value>(run.offset),
                        .type = type_of_run(run, member),
                        .position = positions.of(variable),
                        .stride = static_cast<Value>(run.stride),
                        .constant = global.variable->isConstant()};
    object.initial = initial_values(global, run, object.type);
    program.objects.push_back(std::move(object));
  }
  for (const CellRun& run : padding_of(global)) {
    SharedObject object{.name = fmt::format("{}+{} (padding)", name, run.offset),
                        .base = address + static_cast<Value>(run.offset),
                        .type = {8, false},
                        .constant = global.variable->isConstant()};
    object.initial = initial_values(global, run, object.type);
    program.objects.push_back(std::move(object));
  }
}

// The bytes of the type that belong to no cell: they are there, and programs that look at a variable byte by
// byte read them. Having no place in the source, they are shown to nobody who does not ask. Not of large
// variables, where they would be many.
std::vector<CellRun> Globals::padding_of(const Global& global) {
  constexpr std::uint64_t kLargest = 4096;
  const std::uint64_t size = global.layout.size;
  if (size > kLargest || global.variable->getName() == kThreadTable) return {};
  std::vector<bool> covered(size);
  const TypeLayout& whole = layouts_.of(global.type);
  for (const std::vector<CellRun>* runs : {&whole.runs, &global.layout.runs})
    for (const CellRun& run : *runs)
      for (std::uint64_t k = 0; k < run.count; ++k)
        for (std::uint64_t i = 0; i < run.bytes; ++i)
          if (const std::uint64_t at = run.offset + k * run.stride + i; at < size) covered[at] = true;
  std::vector<CellRun> padding;
  for (std::uint64_t at = 0; at < size; ++at) {
    if (covered[at]) continue;
    if (!padding.empty() && padding.back().end() == at)
      ++padding.back().count;
    else
      padding.push_back({at, 1, 1, 1});
  }
  return padding;
}

void Globals::add_objects(Program& program, Positions& positions) {
  std::map<std::string, int> times;
  for (const Global& global : globals_)
    if (global.used) ++times[plain_name(*global.variable)];
  for (const Global& global : globals_) {
    if (!global.used || global.is_private || global.is_block || global.problem != GlobalProblem::kNone)
      continue;
    std::string name = plain_name(*global.variable);
    if (times[name] > 1 && name.front() != '"') name = global.variable->getName().str();
    if (global.copy_distance == 0) {
      add_objects_of(global, name, global.address, program, positions);
      continue;
    }
    for (std::uint32_t thread = 0; thread < thread_limit_; ++thread) {
      const std::string owner = thread == 0 ? "main" : fmt::format("t{}", thread);
      add_objects_of(global, fmt::format("{}.{}", owner, name),
                     global.address + thread * global.copy_distance, program, positions);
    }
  }
}

}  // namespace weir::c
