// Objects are sorted by their first cell, so that each is compared only with those that begin before it ends.
// Objects of one array of structs lie in each other's gaps; where strides are equal, arithmetic tells whether
// two of them meet, and otherwise the cells of the smaller one are tried.
#include "program/validate_memory.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/address.hpp"
#include "program/text/words.hpp"

namespace weir {

namespace {

using text_form::type_name;
using Wide = __int128;

// From the first cell to the last one.
Wide extent(const SharedObject& object) {
  return static_cast<Wide>(object.stride) * (static_cast<Wide>(object.initial.size()) - 1);
}
Wide last_cell(const SharedObject& object) { return object.base + extent(object); }

bool has_cell(const SharedObject& object, Wide address) {
  return address >= object.base && address <= last_cell(object) &&
         (address - object.base) % object.stride == 0;
}

bool share_a_cell(const SharedObject& a, const SharedObject& b) {
  if (last_cell(a) < b.base || last_cell(b) < a.base) return false;
  if (a.stride == b.stride) return (static_cast<Wide>(a.base) - b.base) % a.stride == 0;
  const SharedObject& small = a.initial.size() < b.initial.size() ? a : b;
  const SharedObject& large = &small == &a ? b : a;
  for (std::size_t k = 0; k < small.initial.size(); ++k)
    if (has_cell(large, small.base + static_cast<Wide>(small.stride) * static_cast<Wide>(k))) return true;
  return false;
}

class MemoryRules {
 public:
  explicit MemoryRules(const Program& program) : program_(program) {}

  std::vector<Diagnostic> objects() {
    std::vector<const SharedObject*> good;
    for (const SharedObject& object : program_.objects)
      if (check_object(object)) good.push_back(&object);
    check_overlaps(std::move(good));
    if (program_.open_memory && program_.byte_memory)
      report({}, "memory is either open or laid out in bytes, not both");
    for (const Function& function : program_.functions) check_privates(function);
    return std::move(diagnostics_);
  }

  std::vector<Diagnostic> use() {
    bool allocates = false;
    for (const Edge& edge : program_.edges) {
      check_flags(edge);
      check_result(edge);
      if (program_.open_memory) check_open_memory(edge);
      allocates |= edge.instruction.op == Opcode::kAllocate;
    }
    if (allocates && program_.threads.size() > kMostAllocatingThreads)
      report(program_.threads[kMostAllocatingThreads].position,
             fmt::format("a program that allocates blocks has at most {} threads, but this one has {}",
                         kMostAllocatingThreads, program_.threads.size()));
    return std::move(diagnostics_);
  }

 private:
  // Shared objects.

  bool check_object(const SharedObject& object) {
    const auto complain = [&](std::string what) {
      report(object.position, fmt::format("shared object '{}' {}", object.name, what));
      return false;
    };
    if (object.type.bits < 1 || object.type.bits > 64)
      return complain(fmt::format("has cells of {} bits; types have 1 to 64", object.type.bits));
    if (object.initial.empty()) return complain("has no cells");
    if (object.stride < 1)
      return complain(fmt::format("has cells {} apart; it must be 1 or more", object.stride));
    if (last_cell(object) > INT64_MAX || extent(object) > INT64_MAX)
      return complain("reaches beyond the last address");
    if (!program_.open_memory && last_cell(object) >= Wide{kFirstSpecialAddress})
      return complain("lies where blocks and private memory have their addresses");
    const bool cells_overlap =
        object.initial.size() > 1 && object.stride < static_cast<Value>(bytes_of(object.type));
    if (program_.byte_memory && cells_overlap)
      return complain(
          fmt::format("has cells {} apart, but {} bytes long", object.stride, bytes_of(object.type)));
    if (program_.open_memory && (object.constant || object.stride != 1))
      return complain("is constant or has gaps, which objects in open memory cannot");
    return check_initial_values(object);
  }

  bool check_initial_values(const SharedObject& object) {
    for (const Value value : object.initial) {
      if (value == kUninitialised && program_.open_memory) {
        report(object.position,
               fmt::format("'{}' is uninitialised, which open memory never is", object.name));
        return false;
      }
      if (value == kUninitialised || fits(value, object.type)) continue;
      report(object.position, fmt::format("the initial value {} of '{}' does not fit into {}", value,
                                          object.name, type_name(object.type)));
      return false;
    }
    return true;
  }

  void check_overlaps(std::vector<const SharedObject*> objects) {
    std::ranges::stable_sort(objects, {}, &SharedObject::base);
    std::vector<const SharedObject*> not_ended;
    for (const SharedObject* object : objects) {
      std::erase_if(not_ended, [&](const SharedObject* other) { return last_cell(*other) < object->base; });
      const auto other = std::ranges::find_if(
          not_ended, [&](const SharedObject* before) { return share_a_cell(*before, *object); });
      if (other != not_ended.end())
        report(object->position,
               fmt::format("shared object '{}' overlaps '{}'", object->name, (*other)->name));
      not_ended.push_back(object);
    }
  }

  // Private objects.

  void check_privates(const Function& function) {
    std::uint64_t end = 0;
    for (const PrivateObject& object : function.privates) {
      const auto complain = [&](std::string_view what) {
        report(function.position,
               fmt::format("private object '{}' of '{}' {}", object.name, function.name, what));
      };
      if (program_.open_memory) return complain("cannot be in a program with open memory");
      if (object.offset < end) return complain("begins before the one listed before it ends");
      if (object.size > kPrivateBytes || object.offset > kPrivateBytes - object.size)
        return complain(fmt::format("ends beyond byte {}", kPrivateBytes));
      end = object.offset + object.size;
    }
  }

  // Instructions.

  void check_flags(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const bool moves_a_value = i.op == Opcode::kLoad || i.op == Opcode::kStore;
    if (i.waits && i.op != Opcode::kLoad && i.op != Opcode::kHalt && i.op != Opcode::kChoose)
      report(edge.position,
             "only a load can wait for a value, a halt for an assumption, and a choice be not to wait");
    if (i.waits && i.op == Opcode::kHalt && !i.message.empty())
      report(edge.position, "a halt that waits leaves nothing out");
    if (i.until && !(i.waits && i.op == Opcode::kLoad))
      report(edge.position, "only a load that waits can wait until memory holds a value");
    if (i.plain && !moves_a_value) report(edge.position, "only a load or a store can be plain");
    if (i.copies && !moves_a_value) report(edge.position, "only a load or a store can copy");
    if (i.copies && i.waits) report(edge.position, "a load that copies cannot wait for a value");
  }

  // Addresses, and the mark of uninitialised memory, have 64 bits.
  void check_result(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const bool needs_64_bits = i.op == Opcode::kAllocate || (i.op == Opcode::kLoad && i.copies);
    if (!needs_64_bits || !i.result) return;
    const Function& function = program_.function(program_.location(edge.source).function);
    if (i.result.index() >= function.registers.size()) return;  // reported elsewhere
    const Register& reg = function.registers[i.result.index()];
    if (reg.type.bits != 64)
      report(edge.position,
             fmt::format("the result is put into register '{}', which has {} bits instead of 64", reg.name,
                         reg.type.bits));
  }

  void check_open_memory(const Edge& edge) {
    const Instruction& i = edge.instruction;
    if (i.op == Opcode::kAllocate || i.op == Opcode::kFree)
      report(edge.position, "a program with open memory has no blocks");
    if (i.copies) report(edge.position, "open memory is always initialised, so nothing can copy");
  }

  void report(SourcePosition position, std::string message) {
    diagnostics_.push_back({Severity::kError, std::move(message), position, ""});
  }

  const Program& program_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::vector<Diagnostic> check_objects(const Program& program) { return MemoryRules(program).objects(); }
std::vector<Diagnostic> check_memory_use(const Program& program) { return MemoryRules(program).use(); }

}  // namespace weir
