// Printing the `.weir` text form. Whatever has a name that is unique where it is used is referred to by name,
// the rest by number; expressions are parenthesised fully, so the text does not depend on anybody's
// precedences.
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>

#include "program/text/text.hpp"
#include "program/text/words.hpp"

namespace weir {

namespace {

using namespace text_form;

std::string number(Value value, Type type) {
  if (type.bits == 64 && !type.is_signed) return std::to_string(static_cast<std::uint64_t>(value));
  return std::to_string(value);
}

std::string name_text(std::string_view name) {
  return is_plain_name(name) ? std::string(name) : quoted(name);
}

// The type where it is not the default, with a separator before or after it.
std::string colon_type(Type type) { return type == kInt64 ? "" : " : " + type_name(type); }
std::string leading_type(Type type) { return type == kInt64 ? "" : type_name(type) + " "; }

// Leaves and what looks like a call.
bool needs_no_parentheses(ExprOp op) { return op <= ExprOp::kRegister || op >= ExprOp::kFloatAdd; }

class NameCounts {
 public:
  void add(std::string_view name) { ++counts_[std::string(name)]; }
  bool unique(std::string_view name) const {
    const auto found = counts_.find(name);
    return !name.empty() && found != counts_.end() && found->second == 1;
  }

 private:
  std::map<std::string, int, std::less<>> counts_;
};

class Printer {
 public:
  explicit Printer(const Program& program);
  std::string run();
  std::vector<std::string> instructions();

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void print_header();
  void print_object(const SharedObject& object);
  void print_function(FunctionId id);
  void print_location(LocationId id);
  void print_edge(EdgeId id);
  void print_thread(const Thread& thread);
  void print_properties();

  std::string position(SourcePosition position) const;
  std::string cells(const SharedObject& object) const;
  void print_private(const PrivateObject& object, std::uint64_t next_offset);
  std::string register_declaration(const Register& reg) const;
  std::string register_name(FunctionId function, RegisterId reg) const;
  std::string function_name(FunctionId id) const;
  std::string location_name(LocationId id) const;
  std::string thread_name(ThreadId id) const;
  std::string thread_location(const ThreadLocation& place) const;
  std::string cell_name(Value address) const;
  std::string address(ExprId id) const;
  std::optional<std::string> element(const Expression& address) const;
  std::string instruction(const Instruction& instruction) const;
  static std::string behind(Order order);
  std::string access(const Instruction& instruction) const;
  std::string rmw(const Instruction& instruction) const;
  std::string result(const Instruction& instruction) const;
  std::string call(const Instruction& instruction) const;
  std::string outer(ExprId id) const;  // without the outermost parentheses where they are not needed
  std::string inner(ExprId id) const;
  std::string bare(const Expression& expression) const;
  std::string leaf(const Expression& expression) const;

  const Program& program_;
  FunctionId function_;  // being printed
  NameCounts objects_, functions_, threads_;
  std::vector<NameCounts> registers_, labels_;         // per function
  std::vector<std::vector<LocationId>> locations_of_;  // per function
  std::uint32_t next_location_ = 0, next_edge_ = 0;    // the ids that need not be written
  Value next_address_ = 0;
  std::string out_;
};

Printer::Printer(const Program& program)
    : program_(program),
      registers_(program.functions.size()),
      labels_(program.functions.size()),
      locations_of_(program.functions.size()) {
  for (const auto& object : program.objects) objects_.add(object.name);
  for (const auto& thread : program.threads) threads_.add(thread.name);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    functions_.add(program.functions[f].name);
    for (const auto& reg : program.functions[f].registers) registers_[f].add(reg.name);
  }
  for (std::size_t i = 0; i < program.locations.size(); ++i) {
    const auto f = program.locations[i].function.index();
    labels_[f].add(program.locations[i].label);
    locations_of_[f].emplace_back(i);
  }
}

std::string Printer::run() {
  print_header();
  for (const auto& object : program_.objects) print_object(object);
  for (std::size_t f = 0; f < program_.functions.size(); ++f) print_function(FunctionId(f));
  for (const auto& thread : program_.threads) print_thread(thread);
  print_properties();
  return std::move(out_);
}

std::vector<std::string> Printer::instructions() {
  std::vector<std::string> result;
  for (const Edge& edge : program_.edges) {
    function_ = program_.location(edge.source).function;
    result.push_back(instruction(edge.instruction));
  }
  return result;
}

void Printer::print_header() {
  put("weir 1\n");
  if (!program_.name.empty()) put("program {}\n", quoted(program_.name));
  put("sources");
  for (std::size_t i = 0; i < program_.sources.size(); ++i)
    put("{}{}", i == 0 ? " " : ", ", quoted(program_.sources.file(FileId(i)).path));
  put("\n");
  if (program_.open_memory) put("open memory\n");
  if (program_.byte_memory) put("byte memory\n");
}

void Printer::print_object(const SharedObject& object) {
  put("{} {}{}", object.constant ? "constant" : "shared", name_text(object.name), colon_type(object.type));
  if (object.base != next_address_) put(" at {}", object.base);
  if (object.stride != 1) put(" stride {}", object.stride);
  put(" = {}{}\n", cells(object), position(object.position));
  const std::uint64_t extent = object.initial.size() * static_cast<std::uint64_t>(object.stride);
  next_address_ = wrap(static_cast<std::uint64_t>(object.base) + extent, kInt64);
}

std::string Printer::cells(const SharedObject& object) const {
  std::string out;
  for (std::size_t i = 0; i < object.initial.size();) {
    std::size_t end = i + 1;
    while (end < object.initial.size() && object.initial[end] == object.initial[i]) ++end;
    if (i != 0) out += ", ";
    out += object.initial[i] == kUninitialised ? "uninitialised" : number(object.initial[i], object.type);
    if (end - i > 1) out += fmt::format(" * {}", end - i);
    i = end;
  }
  return out;
}

void Printer::print_function(FunctionId id) {
  function_ = id;
  const Function& function = program_.function(id);
  put("function {}(", name_text(function.name));
  for (std::uint32_t i = 0; i < function.parameter_count; ++i)
    put("{}{}", i == 0 ? "" : ", ", register_declaration(function.registers[i]));
  put("){}\n", position(function.position));
  for (std::size_t i = function.parameter_count; i < function.registers.size(); ++i)
    put("  register {}\n", register_declaration(function.registers[i]));
  std::uint64_t next_offset = 0;
  for (const PrivateObject& object : function.privates) {
    print_private(object, next_offset);
    next_offset = object.offset + object.size;
  }
  const auto& locations = locations_of_[id.index()];
  if (!locations.empty() && function.entry != locations.front())
    put("  entry {}\n", location_name(function.entry));
  for (const LocationId location : locations) print_location(location);
  put("end\n");
}

void Printer::print_private(const PrivateObject& object, std::uint64_t next_offset) {
  put("  private {} : {}", name_text(object.name), object.size);
  if (object.offset != next_offset) put(" at {}", object.offset);
  put("\n");
}

std::string Printer::register_declaration(const Register& reg) const {
  std::string out = name_text(reg.name) + colon_type(reg.type);
  if (reg.initial != 0) out += " = " + number(reg.initial, reg.type);
  return out;
}

void Printer::print_location(LocationId id) {
  const Location& location = program_.location(id);
  std::string head = location.label.empty() ? "" : name_text(location.label);
  if (head.empty() || id.index() != next_location_)
    head += fmt::format("{}#{}", head.empty() ? "" : " ", id.index());
  next_location_ = id.index() + 1;
  put("  {}:{}\n", head, position(location.position));
  for (const EdgeId edge : location.edges) print_edge(edge);
}

void Printer::print_edge(EdgeId id) {
  const Edge& edge = program_.edge(id);
  put("    {}", instruction(edge.instruction));
  if (!leaves_for_good(edge.instruction.op) || edge.target != edge.source)
    put(" -> {}", location_name(edge.target));
  if (id.index() != next_edge_) put(" #{}", id.index());
  next_edge_ = id.index() + 1;
  put("{}\n", position(edge.position));
}

void Printer::print_thread(const Thread& thread) {
  put("{}{}thread {} = {}(", thread.dormant ? "dormant " : "", thread.single ? "single " : "",
      name_text(thread.name), function_name(thread.function));
  for (std::size_t i = 0; i < thread.arguments.size(); ++i)
    put("{}{}", i == 0 ? "" : ", ", thread.arguments[i]);
  put("){}\n", position(thread.position));
}

void Printer::print_properties() {
  const Properties& properties = program_.properties;
  for (std::size_t g = 0; g < properties.goals.size(); ++g)
    for (std::size_t i = 0; i < properties.goals[g].size(); ++i)
      put("{}goal {}\n", g > 0 && i == 0 ? "or " : "", thread_location(properties.goals[g][i]));
  for (const auto& list : properties.exclusive) {
    put("exclusive");
    for (std::size_t i = 0; i < list.size(); ++i) put("{}{}", i == 0 ? " " : ", ", thread_location(list[i]));
    put("\n");
  }
  for (const auto& invariant : properties.invariants) {
    put("invariant {}", outer(invariant.expression));
    if (!invariant.text.empty()) put(", {}", quoted(invariant.text));
    put("{}\n", position(invariant.position));
  }
  if (properties.deadlock) put("deadlock\n");
  if (properties.partial_deadlock) put("partial_deadlock\n");
  if (properties.races) put("races\n");
  if (properties.leaks) put("leaks\n");
  for (const std::string& restriction : program_.restrictions) put("restriction {}\n", quoted(restriction));
  for (const std::string& assumption : program_.assumptions) put("assumption {}\n", quoted(assumption));
}

std::string Printer::position(SourcePosition position) const {
  if (!position.file) return "";
  if (!position.known()) return fmt::format(" @{}", position.file.index());
  return fmt::format(" @{}:{}:{}", position.file.index(), position.line, position.column);
}

std::string Printer::register_name(FunctionId function, RegisterId reg) const {
  const std::string& name = program_.function(function).registers[reg.index()].name;
  return registers_[function.index()].unique(name) ? name_text(name) : fmt::format("%{}", reg.index());
}

std::string Printer::function_name(FunctionId id) const {
  const std::string& name = program_.function(id).name;
  return functions_.unique(name) ? name_text(name) : fmt::format("#{}", id.index());
}

std::string Printer::location_name(LocationId id) const {
  const Location& location = program_.location(id);
  return labels_[location.function.index()].unique(location.label) ? name_text(location.label)
                                                                   : fmt::format("#{}", id.index());
}

std::string Printer::thread_name(ThreadId id) const {
  const std::string& name = program_.thread(id).name;
  return threads_.unique(name) ? name_text(name) : fmt::format("#{}", id.index());
}

std::string Printer::thread_location(const ThreadLocation& place) const {
  return fmt::format("{} at {}", thread_name(place.thread), location_name(place.location));
}

std::string Printer::cell_name(Value address) const {
  const auto id = program_.object_at(address);
  if (!id || !objects_.unique(program_.object(*id).name)) return fmt::format("[{}]", address);
  const SharedObject& object = program_.object(*id);
  if (object.initial.size() == 1) return name_text(object.name);
  return fmt::format("{}[{}]", name_text(object.name), (address - object.base) / object.stride);
}

// A constant address and a constant base plus an index are shown by the object's name.
std::string Printer::address(ExprId id) const {
  const Expression& e = program_.expression(id);
  if (e.op == ExprOp::kConstant && e.type == kInt64) return cell_name(e.constant);
  if (std::optional<std::string> found = element(e)) return std::move(*found);
  return fmt::format("[{}]", outer(id));
}

// Exactly what the parser makes of object[index].
std::optional<std::string> Printer::element(const Expression& e) const {
  if (e.op != ExprOp::kAdd || e.type != kInt64) return std::nullopt;
  const Expression& base = program_.expression(e.a);
  const auto id = base.op == ExprOp::kConstant ? program_.object_at(base.constant) : std::nullopt;
  if (!id) return std::nullopt;
  const SharedObject& object = program_.object(*id);
  if (object.base != base.constant || !objects_.unique(object.name)) return std::nullopt;
  ExprId index = e.b;
  if (object.stride != 1) {
    const Expression& scaled = program_.expression(e.b);
    if (scaled.op != ExprOp::kMul) return std::nullopt;
    const Expression& stride = program_.expression(scaled.b);
    if (stride.op != ExprOp::kConstant || stride.constant != object.stride) return std::nullopt;
    index = scaled.a;
  }
  if (program_.expression(index).op == ExprOp::kConstant) return std::nullopt;
  return fmt::format("{}[{}]", name_text(object.name), outer(index));
}

std::string Printer::instruction(const Instruction& i) const {
  switch (i.op) {
    case Opcode::kNop:
    case Opcode::kLock:
    case Opcode::kUnlock:
    case Opcode::kAtomicBegin:
    case Opcode::kAtomicEnd:
    case Opcode::kStop:
    case Opcode::kHalt: {
      const bool with_message = may_have_message(i.op) && !i.message.empty();
      return fmt::format("{}{}{}{}", word_of(kBareInstructions, i.op),
                         i.op == Opcode::kNop ? behind(i.order) : "", i.waits ? " wait" : "",
                         with_message ? " " + quoted(i.message) : "");
    }
    case Opcode::kAssign: return fmt::format("{}{}", result(i), outer(i.a));
    case Opcode::kAssume: return fmt::format("assume {}", outer(i.a));
    case Opcode::kAssert:
      return fmt::format("assert {}{}", outer(i.a), i.message.empty() ? "" : ", " + quoted(i.message));
    case Opcode::kLoad:
      return fmt::format("{}load {}{}", result(i), access(i),
                         i.waits ? (i.until ? " until " : " wait ") + outer(i.c) : "");
    case Opcode::kStore: return fmt::format("store {} := {}", access(i), outer(i.b));
    case Opcode::kRmw: return rmw(i);
    case Opcode::kFence: return fmt::format("fence {}{}", word_of(kFences, i.fence), behind(i.order));
    case Opcode::kChoose:
      return fmt::format("{}choose {} .. {}{}{}", result(i), i.low, i.high, i.waits ? " wait" : "",
                         i.message.empty() ? "" : " " + quoted(i.message));
    case Opcode::kCall: return call(i);
    case Opcode::kReturn: return i.a ? fmt::format("return {}", outer(i.a)) : "return";
    case Opcode::kAllocate:
      return fmt::format("{}allocate {} {}", result(i), word_of(kBlocks, i.block), outer(i.a));
    case Opcode::kFree:
      if (i.renews) return fmt::format("renew {}", outer(i.a));
      return fmt::format("free {} {}", word_of(kBlocks, i.block), outer(i.a));
  }
  return "nop";
}

// A space and the order; nothing if it is relaxed.
std::string Printer::behind(Order order) {
  return order == Order::kRelaxed ? "" : fmt::format(" {}", word_of(kOrders, order));
}

std::string Printer::access(const Instruction& i) const {
  const std::string order = i.order == Order::kRelaxed ? "" : fmt::format("{} ", word_of(kOrders, i.order));
  return leading_type(i.type) + order + (i.plain ? "plain " : "") + (i.copies ? "copies " : "") +
         address(i.a);
}

std::string Printer::rmw(const Instruction& i) const {
  const std::string expected = i.rmw == RmwOp::kCompareExchange ? outer(i.c) + ", " : "";
  return fmt::format("{}rmw {} {}, {}{}{}", result(i), word_of(kRmwOps, i.rmw), access(i), expected,
                     outer(i.b), i.failing == Order::kRelaxed ? "" : " failing" + behind(i.failing));
}

std::string Printer::result(const Instruction& i) const {
  return i.result ? register_name(function_, i.result) + " := " : "";
}

std::string Printer::call(const Instruction& i) const {
  std::string arguments;
  for (const ExprId argument : i.arguments) arguments += (arguments.empty() ? "" : ", ") + outer(argument);
  return fmt::format("{}call {}({})", result(i), function_name(i.callee), arguments);
}

std::string Printer::outer(ExprId id) const {
  const Expression& e = program_.expression(id);
  return takes_type(e.op) && e.type != kInt64 ? inner(id) : bare(e);
}

std::string Printer::inner(ExprId id) const {
  const Expression& e = program_.expression(id);
  const std::string type = takes_type(e.op) ? colon_type(e.type) : "";
  if (needs_no_parentheses(e.op) && type.empty()) return bare(e);
  return fmt::format("({}{})", bare(e), type);
}

std::string Printer::bare(const Expression& e) const {
  switch (e.op) {
    case ExprOp::kConstant:
    case ExprOp::kRegister:
    case ExprOp::kSelf:
    case ExprOp::kFrame:
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister: return leaf(e);
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot: {
      // "-5" is a number; the negation of the number 5 is "-(5)".
      const bool is_number = program_.expression(e.a).op == ExprOp::kConstant;
      return fmt::format("{}{}", word_of(kUnary, e.op),
                         is_number ? fmt::format("({})", inner(e.a)) : inner(e.a));
    }
    case ExprOp::kCast: return fmt::format("{} as {}", inner(e.a), type_name(e.type));
    case ExprOp::kSelect: return fmt::format("{} ? {} : {}", inner(e.a), inner(e.b), inner(e.c));
    case ExprOp::kFloatAdd:
    case ExprOp::kFloatSub:
    case ExprOp::kFloatMul:
    case ExprOp::kFloatDiv:
    case ExprOp::kFloatRem:
    case ExprOp::kFloatEq:
    case ExprOp::kFloatLt:
    case ExprOp::kFloatLe:
    case ExprOp::kFloatUnordered:
      return fmt::format("{}({}, {})", word_of(kFloatBinary, e.op), outer(e.a), outer(e.b));
    case ExprOp::kFloatToInt:
    case ExprOp::kIntToFloat:
    case ExprOp::kFloatToFloat:
      return fmt::format("{}({}, {})", word_of(kFloatConversions, e.op), outer(e.a), type_name(e.type));
    default: return fmt::format("{} {} {}", inner(e.a), word_of(kBinary, e.op), inner(e.b));
  }
}

std::string Printer::leaf(const Expression& e) const {
  switch (e.op) {
    case ExprOp::kConstant: return number(e.constant, e.type) + (e.type == kInt64 ? "" : type_name(e.type));
    case ExprOp::kRegister: return register_name(function_, e.reg);
    case ExprOp::kSelf: return "self";
    case ExprOp::kFrame: return fmt::format("frame({})", e.constant);
    case ExprOp::kSharedCell: return cell_name(e.constant);
    default:
      return fmt::format("{}.{}", thread_name(e.thread),
                         register_name(program_.thread(e.thread).function, e.reg));
  }
}

}  // namespace

std::string print(const Program& program) { return Printer(program).run(); }
std::vector<std::string> instruction_texts(const Program& program) { return Printer(program).instructions(); }

}  // namespace weir
