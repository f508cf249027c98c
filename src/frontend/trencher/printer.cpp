// Prints a program in Trencher's language. Threads are printed one by one; what the language lacks is said
// with what it has where that is exact:
//
//   read-modify-write    lock, read, write, unlock
//   sequential store     lock, write, unlock
//   atomic block         lock ... unlock, if no condition in it can fail and it has no loop: Trencher has no
//   way
//                        to take back a lock, so a block that may not reach its end would hang the others
//   choice               one transition per value
//   initial value        a transition before the first state
//   mutual exclusion     `final` marks, if it is the only property and names two threads
//
// Where memory is not open, an access outside of it is an error that Trencher does not know, so addresses
// must be constants there. They are then numbered anew from 0.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <set>

#include "frontend/trencher/expressible.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/analysis/plain.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace trencher {

namespace {

constexpr Value kMaximalChoices = 256;

using Problems = std::vector<Diagnostic>;

void refuse(Problems& problems, SourcePosition position, std::string_view what, std::string hint = {}) {
  problems.push_back({Severity::kError, fmt::format("the Trencher format cannot express {}", what), position,
                      std::move(hint)});
}

// Names that the file already uses, and new ones. A name is a word: not empty, no blanks.
class NameTable {
 public:
  std::string unique(std::string_view wanted, std::string_view fallback) {
    std::string base(wanted);
    const bool is_word = !base.empty() && std::all_of(base.begin(), base.end(), [](char c) {
      return static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
    });
    if (!is_word) base = fallback;
    std::string name = base;
    for (int i = 1; !used_.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
    return name;
  }

 private:
  std::set<std::string> used_;
};

// A word that an expression takes for a register: not a number, not made of operators.
std::string register_word(std::string_view name) {
  const bool ok = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
  return ok ? std::string(name) : fmt::format("r{}", name);
}

// The number that Trencher uses for each address of a program without open memory.
class AddressMap {
 public:
  explicit AddressMap(const Program& program) : program_(program) {
    Value next = 0;
    for (const SharedObject& object : program.objects) {
      first_.push_back(program.open_memory ? object.base : next);
      next += static_cast<Value>(object.initial.size());
    }
  }

  Value first(std::size_t object) const { return first_[object]; }

  std::optional<Value> number(Value address) const {
    if (program_.open_memory) return address;
    const auto object = program_.object_at(address);
    if (!object) return std::nullopt;
    return first_[object->index()] + (address - program_.object(*object).base);
  }

 private:
  const Program& program_;
  std::vector<Value> first_;
};

// Locations inside atomic blocks, and what keeps a block from being `lock` ... `unlock`.
class AtomicBlocks {
 public:
  AtomicBlocks(const Program& program, Problems& problems) : program_(program), problems_(problems) {
    for (const Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kAtomicBegin) visit(edge.target);
  }

  bool inside(LocationId location) const { return state_.contains(location); }

 private:
  enum class State { kOpen, kDone };

  void visit(LocationId start) {
    std::vector<std::pair<LocationId, std::size_t>> path;
    enter(start, path);
    while (!path.empty()) {
      auto& [location, next] = path.back();
      const auto& edges = program_.location(location).edges;
      if (next == edges.size()) {
        state_[location] = State::kDone;
        path.pop_back();
        continue;
      }
      const Edge& edge = program_.edge(edges[next++]);
      if (edge.instruction.op != Opcode::kAtomicEnd) enter(edge.target, path);
    }
  }

  void enter(LocationId location, std::vector<std::pair<LocationId, std::size_t>>& path) {
    const auto [entry, is_new] = state_.try_emplace(location, State::kOpen);
    if (is_new) {
      path.emplace_back(location, 0);
      if (may_be_stuck(location))
        refuse(problems_, position(location), "an atomic block with a condition that can fail");
    } else if (entry->second == State::kOpen) {
      refuse(problems_, position(location), "an atomic block with a loop");
    }
  }

  bool may_be_stuck(LocationId location) const {
    const auto& edges = program_.location(location).edges;
    const auto assumes = [&](EdgeId id) { return program_.edge(id).instruction.op == Opcode::kAssume; };
    if (!edges.empty() && std::none_of(edges.begin(), edges.end(), assumes)) return false;
    return edges.size() != 2 || !std::all_of(edges.begin(), edges.end(), assumes) ||
           !complementary(program_, program_.edge(edges[0]).instruction.a,
                          program_.edge(edges[1]).instruction.a);
  }

  SourcePosition position(LocationId location) const {
    const Location& place = program_.location(location);
    return place.position.known() || place.edges.empty() ? place.position
                                                         : program_.edge(place.edges[0]).position;
  }

  const Program& program_;
  Problems& problems_;
  std::map<LocationId, State> state_;
};

// Writes the lines of one thread.
class ThreadWriter {
 public:
  ThreadWriter(const Program& program, ThreadId thread, const AddressMap& addresses,
               const AtomicBlocks& blocks, Problems& problems)
      : program_(program),
        thread_(program.thread(thread)),
        addresses_(addresses),
        blocks_(blocks),
        problems_(problems),
        known_(known_registers(program, thread_)) {
    for (const Register& reg : program.function(thread_.function).registers)
      registers_.push_back(register_names_.unique(register_word(reg.name), "r"));
  }

  std::string write(const std::string& name, const std::vector<LocationId>& marks) {
    check_function();
    for (const Edge& edge : program_.edges)
      if (in_this_function(edge.source)) write_edge(edge);
    const std::string initial = write_initial_values();
    std::string text = fmt::format("thread {}\ninitial {}\n", name, initial);
    for (const LocationId mark : marks) text += fmt::format("final {}\n", declared_state(mark, initial));
    return text + lines_ + "end\n";
  }

 private:
  bool in_this_function(LocationId location) const {
    return program_.location(location).function == thread_.function;
  }

  void check_function() {
    const Function& function = program_.function(thread_.function);
    bool locks = false, lock_made = false;
    for (const Register& reg : function.registers)
      if (reg.type != kInt64) refuse(problems_, function.position, "registers of other types than int64");
    for (const Edge& edge : program_.edges) {
      if (!in_this_function(edge.source)) continue;
      const Instruction& i = edge.instruction;
      locks |= i.op == Opcode::kLock;
      lock_made |= i.op == Opcode::kRmw || i.op == Opcode::kAtomicBegin ||
                   (i.op == Opcode::kStore && i.order == Order::kSequential);
    }
    if (locks && lock_made)
      refuse(problems_, function.position, "atomic instructions in a thread that also uses the global lock");
  }

  std::string state(LocationId location) {
    const auto [entry, is_new] = states_.try_emplace(location);
    if (is_new)
      entry->second =
          state_names_.unique(program_.location(location).label, fmt::format("L{}", location.index()));
    return entry->second;
  }

  // A marked state must occur in a transition; one that cannot be reached gets a transition that cannot be
  // taken. So does a mark inside an atomic block, where properties do not look.
  std::string declared_state(LocationId location, const std::string& initial) {
    const std::string name = blocks_.inside(location) ? fresh_state(location) : state(location);
    if (!used_states_.contains(name) && name != initial) line(name, initial, "noop");
    return name;
  }

  std::string fresh_state(LocationId near) {
    return state_names_.unique(state(near) + "_" + std::to_string(++fresh_), "fresh");
  }

  void line(const std::string& source, const std::string& target, const std::string& instruction) {
    lines_ += fmt::format("transition {} {} {}\n", source, target, instruction);
    used_states_.insert(source);
    used_states_.insert(target);
  }

  std::string expression(ExprId id, SourcePosition position) {
    PrefixText result = prefix_text(program_, id, known_, registers_);
    if (!result.problem.empty()) refuse(problems_, position, result.problem);
    return std::move(result.text);
  }

  std::string address(const Edge& edge) {
    const ExprId id = edge.instruction.a;
    if (edge.instruction.type != kInt64)
      refuse(problems_, edge.position, "accesses of other types than int64");
    if (program_.open_memory) return expression(id, edge.position);
    const auto constant = constant_value(program_, id, known_);
    const auto number = constant ? addresses_.number(*constant) : std::nullopt;
    if (!number) {
      refuse(problems_, edge.position, "an access that may miss its object",
             "every value is an address there; use constant indices");
      return {};
    }
    return fmt::format("{}", *number);
  }

  // Leading transitions for registers that do not start at 0; gives the initial state.
  std::string write_initial_values() {
    const Function& function = program_.function(thread_.function);
    std::string next = state(function.entry);
    for (std::size_t i = 0; i < function.registers.size(); ++i) {
      const bool parameter = i < function.parameter_count;
      const Value value = parameter ? thread_.arguments.at(i) : function.registers[i].initial;
      if (value == 0 || known_.contains(RegisterId(i))) continue;
      const std::string before = fresh_state(function.entry);
      line(before, next, fmt::format("local {} {}", registers_[i], value));
      next = before;
    }
    return next;
  }

  void write_edge(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const std::string source = state(edge.source);
    const auto simple = [&](const std::string& text) { line(source, state(edge.target), text); };
    switch (i.op) {
      case Opcode::kNop: return simple("noop");
      case Opcode::kAssign:
        return simple("local " + registers_[i.result.index()] + " " + expression(i.a, edge.position));
      case Opcode::kAssume: return simple("check " + expression(i.a, edge.position));
      case Opcode::kLoad: return simple("read " + registers_[i.result.index()] + " " + address(edge));
      case Opcode::kStore: return write_store(edge);
      case Opcode::kRmw: return write_rmw(edge);
      case Opcode::kFence: return write_fence(edge);
      case Opcode::kLock:
      case Opcode::kAtomicBegin: return simple("lock");
      case Opcode::kUnlock:
      case Opcode::kAtomicEnd: return simple("unlock");
      case Opcode::kChoose: return write_choice(edge);
      case Opcode::kReturn: return line(source, fresh_state(edge.source), "noop");
      case Opcode::kAssert:
        return refuse(problems_, edge.position, "assertions", "mark a state instead: --goal THREAD:STATE");
      case Opcode::kCall: return refuse(problems_, edge.position, "calls");
      case Opcode::kStop:
      case Opcode::kAllocate:
      case Opcode::kFree:
      case Opcode::kHalt: break;  // not in a plain program
    }
  }

  void write_fence(const Edge& edge) {
    if (edge.instruction.fence == FenceKind::kStoreStore && !blocks_.inside(edge.source))
      return refuse(problems_, edge.position, "a store-store fence", "a full fence is expressible");
    line(state(edge.source), state(edge.target), blocks_.inside(edge.source) ? "noop" : "mfence");
  }

  void write_store(const Edge& edge) {
    const Order order = edge.instruction.order;
    const std::string text =
        fmt::format("write {} {}", expression(edge.instruction.b, edge.position), address(edge));
    const bool plain = order == Order::kRelaxed || order == Order::kAcquire || blocks_.inside(edge.source);
    if (plain) return line(state(edge.source), state(edge.target), text);
    if (order != Order::kSequential) return refuse(problems_, edge.position, "a release store");
    const std::string locked = fresh_state(edge.source), written = fresh_state(edge.source);
    line(state(edge.source), locked, "lock");
    line(locked, written, text);
    line(written, state(edge.target), "unlock");
  }

  void write_choice(const Edge& edge) {
    const Instruction& i = edge.instruction;
    if (static_cast<std::uint64_t>(i.high) - static_cast<std::uint64_t>(i.low) >= kMaximalChoices)
      return refuse(problems_, edge.position,
                    fmt::format("a choice among more than {} values", kMaximalChoices));
    for (Value value = i.low;; ++value) {
      line(state(edge.source), state(edge.target),
           fmt::format("local {} {}", registers_[i.result.index()], value));
      if (value == i.high) return;
    }
  }

  void write_rmw(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const bool locked = !blocks_.inside(edge.source);
    const std::string old = old_value_register();
    const std::string where = address(edge);
    const std::string start = locked ? fresh_state(edge.source) : state(edge.source);
    const std::string loaded = fresh_state(edge.source), written = fresh_state(edge.source);
    const std::string done = locked ? fresh_state(edge.source) : state(edge.target);
    if (locked) line(state(edge.source), start, "lock");
    line(start, loaded, fmt::format("read {} {}", old, where));
    if (i.rmw == RmwOp::kCompareExchange) {
      const std::string expected = expression(i.c, edge.position);
      const std::string equal = fresh_state(edge.source);
      line(loaded, equal, fmt::format("check == {} {}", old, expected));
      line(loaded, written, fmt::format("check != {} {}", old, expected));
      line(equal, written, fmt::format("write {} {}", expression(i.b, edge.position), where));
    } else {
      line(loaded, written, fmt::format("write {} {}", new_value(edge, old), where));
    }
    line(written, done, i.result ? fmt::format("local {} {}", registers_[i.result.index()], old) : "noop");
    if (locked) line(done, state(edge.target), "unlock");
  }

  std::string new_value(const Edge& edge, const std::string& old) {
    const std::string b = expression(edge.instruction.b, edge.position);
    switch (edge.instruction.rmw) {
      case RmwOp::kExchange:
      case RmwOp::kCompareExchange: return b;
      case RmwOp::kAdd: return fmt::format("+ {} {}", old, b);
      case RmwOp::kSub: return fmt::format("- {} {}", old, b);
      case RmwOp::kBitAnd: return fmt::format("& {} {}", old, b);
      case RmwOp::kBitOr: return fmt::format("- + {0} {1} & {0} {1}", old, b);
      case RmwOp::kBitXor: return fmt::format("- + {0} {1} * 2 & {0} {1}", old, b);
      default: break;  // not in a plain program
    }
    return b;
  }

  const std::string& old_value_register() {
    if (old_value_.empty()) old_value_ = register_names_.unique("old", "old");
    return old_value_;
  }

  const Program& program_;
  const Thread& thread_;
  const AddressMap& addresses_;
  const AtomicBlocks& blocks_;
  Problems& problems_;
  KnownRegisters known_;
  NameTable register_names_, state_names_;
  std::vector<std::string> registers_;
  std::map<LocationId, std::string> states_;
  std::set<std::string> used_states_;
  std::string old_value_;
  std::string lines_;
  int fresh_ = 0;
};

std::size_t thread_count(const std::vector<ThreadLocation>& places) {
  std::set<ThreadId> threads;
  for (const ThreadLocation& place : places) threads.insert(place.thread);
  return threads.size();
}

// The marks to print: the goal, or a mutual exclusion of two threads.
std::vector<ThreadLocation> marks(const Program& program, Problems& problems) {
  std::vector<std::vector<ThreadLocation>> goals = program.properties.goals;
  for (const auto& list : program.properties.exclusive)
    if (thread_count(list) >= 2) goals.push_back(list);
  for (const Invariant& invariant : program.properties.invariants)
    refuse(problems, invariant.position, "invariants", "mark states instead: --goal THREAD:STATE");
  if (goals.empty()) return {};
  if (goals.size() > 1) refuse(problems, {}, "several properties at once");
  if (program.properties.goals.empty() && thread_count(goals[0]) > 2)
    refuse(problems, {}, "mutual exclusion among more than two threads",
           "print the program without it and name two threads with --goal THREAD:STATE");
  return goals[0];
}

std::string object_lines(const Program& program, const AddressMap& addresses, Problems& problems) {
  std::string text;
  NameTable names;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const SharedObject& object = program.objects[i];
    if (object.type != kInt64) refuse(problems, object.position, "shared objects of other types than int64");
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = addresses.first(i) + static_cast<Value>(k);
      const std::string name = program.address_name(object.base + static_cast<Value>(k));
      const bool unnamed = name == fmt::format("[{}]", object.base);
      if (!unnamed)
        text += fmt::format("name {} {}\n", address, names.unique(name, "m" + std::to_string(address)));
      if (object.initial[k] != 0 || unnamed)
        text += fmt::format("memory {} = {}\n", address, object.initial[k]);
    }
  }
  return text;
}

}  // namespace

}  // namespace trencher

Expected<std::string, std::vector<Diagnostic>> print_trencher(const Program& program) {
  using namespace trencher;
  Problems problems;
  if (const auto found = beyond_plain(program)) {
    refuse(problems, found->position, found->what);
    return problems;
  }
  const AddressMap addresses(program);
  const AtomicBlocks blocks(program, problems);
  const std::vector<ThreadLocation> marked = marks(program, problems);
  std::string text = object_lines(program, addresses, problems);
  NameTable thread_names;
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    std::vector<LocationId> locations;
    for (const ThreadLocation& mark : marked)
      if (mark.thread == ThreadId(i)) locations.push_back(mark.location);
    if (!text.empty()) text += "\n";
    const std::string name = thread_names.unique(program.threads[i].name, fmt::format("t{}", i));
    text += ThreadWriter(program, ThreadId(i), addresses, blocks, problems).write(name, locations);
  }
  if (!problems.empty()) return problems;
  return text;
}

}  // namespace weir
