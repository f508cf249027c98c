// Every thread becomes an active proctype, every shared object a global variable or array. A thread pauses at
// labels only; each way from one label to the next is one `atomic` sequence that starts with its visible
// action and carries the local computation after it, so SPIN stores the same states as Weir's explicit
// engine. Registers that are not read again are reset, as Weir forgets them.
//
// Properties cost no states: entering and leaving a marked location sets bits within the same step, and
// assertions look at them there. An atomic block that gets stuck half-way keeps everybody else waiting
// (`inside`), so that nothing follows from it; `./pan -E` must not take that for a deadlock, which is why a
// model with such blocks cannot be checked for deadlock. Division by zero is an assertion before the
// division.
#include "export/promela/promela.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

#include "export/promela/expression.hpp"
#include "export/promela/plan.hpp"
#include "program/analysis/liveness.hpp"
#include "program/analysis/plain.hpp"

namespace weir {

namespace {

using namespace promela_form;

constexpr std::size_t kLongestText = std::size_t{1} << 24;
constexpr Value kMostAlternatives = 64;

class PromelaWriter {
 public:
  explicit PromelaWriter(const Program& program) : program_(program), live_(program), expressions_(program) {}

  Expected<std::string, std::vector<Diagnostic>> run() {
    find_marks();
    find_needs();
    for (std::size_t t = 0; t < program_.threads.size() && fits(); ++t) write_thread(ThreadId(t));
    if (!fits())
      expressions_.complain({}, "the Promela text would be too large: too many branches between two actions");
    if (!expressions_.diagnostics().empty()) return std::move(expressions_.diagnostics());
    std::string threads = std::move(out_);
    out_.clear();
    write_globals();
    return out_ + threads;
  }

 private:
  using Marks = std::vector<std::string>;  // the bits that stand for a location

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  bool fits() const { return out_.size() < kLongestText; }

  // --- What the program needs
  // ---------------------------------------------------------------------------------

  void find_marks() {
    for (std::size_t i = 0; i < program_.properties.goals.size(); ++i)
      for (const ThreadLocation& place : program_.properties.goals[i]) mark(fmt::format("goal{}", i), place);
    for (std::size_t i = 0; i < program_.properties.exclusive.size(); ++i)
      for (const ThreadLocation& place : program_.properties.exclusive[i])
        mark(fmt::format("excl{}", i), place);
    for (const Invariant& invariant : program_.properties.invariants) observe(invariant.expression);
  }

  void mark(const std::string& property, const ThreadLocation& place) {
    const std::string bit = fmt::format("{}_{}", property, place.thread.index());
    auto& marks = marks_[{place.thread, place.location}];
    if (std::find(marks.begin(), marks.end(), bit) == marks.end()) marks.push_back(bit);
    auto& bits = bits_[property];
    if (std::find(bits.begin(), bits.end(), bit) == bits.end()) bits.push_back(bit);
  }

  void observe(ExprId id) {
    if (!id) return;
    const Expression& e = program_.expression(id);
    if (e.op == ExprOp::kThreadRegister) observed_[e.thread].insert(e.reg);
    for (const ExprId operand : {e.a, e.b, e.c}) observe(operand);
  }

  void find_needs() {
    bool blocks = false, assumes = false;
    for (const Edge& edge : program_.edges) {
      const Opcode op = edge.instruction.op;
      uses_lock_ |= op == Opcode::kLock || op == Opcode::kUnlock;
      blocks |= op == Opcode::kAtomicBegin;
      assumes |= op == Opcode::kAssume;
      if (op == Opcode::kCall) expressions_.complain(edge.position, "calls cannot be written in Promela");
    }
    uses_inside_ = blocks && assumes;
    if (uses_inside_ && program_.properties.deadlock)
      expressions_.complain(
          {}, "deadlock cannot be checked in Promela for a program with atomic blocks that can block");
  }

  // --- Globals
  // ------------------------------------------------------------------------------------------------

  void write_globals() {
    put("/* Written by weir convert --to promela: {} under sequential consistency.\n",
        comment(program_.name));
    put("   spin -a MODEL && gcc -O2 -DSAFETY -o pan pan.c && ./pan{} */\n\n",
        program_.properties.deadlock ? "" : " -E");
    for (std::size_t i = 0; i < program_.objects.size(); ++i) write_object(ObjectId(i));
    for (std::size_t i = 0; i < expressions_.unnamed_cells().size(); ++i)
      put("int {} = 0;\n", identifier("m", fmt::format("at{}", expressions_.unnamed_cells()[i]), i));
    put("hidden int old, new, expected;\n");
    if (uses_lock_) put("byte lock_owner = 0;\n");
    if (uses_inside_) put("bool inside = false;\n");
    for (const auto& [property, bits] : bits_)
      for (const std::string& bit : bits) put("bool {} = {};\n", bit, initially_set_.contains(bit));
    for (const std::string& declaration : global_registers_) put("{}", declaration);
    put("\n");
  }

  static std::string comment(std::string text) {
    std::replace(text.begin(), text.end(), '*', ' ');
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
  }

  void write_object(ObjectId id) {
    const SharedObject& object = program_.object(id);
    const std::string name = expressions_.object_name(id);
    if (object.initial.size() == 1) return put("int {} = {};\n", name, object.initial[0]);
    const bool zero =
        std::all_of(object.initial.begin(), object.initial.end(), [](Value v) { return v == 0; });
    if (zero) return put("int {}[{}];\n", name, object.initial.size());
    put("int {}[{}] = {{ {} }};\n", name, object.initial.size(), fmt::join(object.initial, ", "));
  }

  // --- Threads
  // ------------------------------------------------------------------------------------------------

  void write_thread(ThreadId thread) {
    thread_ = thread;
    std::set<LocationId> marked;
    for (const auto& [place, marks] : marks_)
      if (place.first == thread) marked.insert(place.second);
    plan_ = plan_thread(program_, thread, marked, observed_[thread]);
    if (plan_.loops_in_atomic)
      expressions_.complain(program_.thread(thread).position,
                            "loops in atomic blocks cannot be written in Promela");
    if (!expressions_.diagnostics().empty()) return;
    put("active proctype {}()\n{{\n", identifier("P", program_.thread(thread).name, thread.index()));
    write_registers();
    for (const std::string& bit : marks_of(plan_.entry)) initially_set_.insert(bit);
    returns_ = false;
    if (!plan_.is_stop[plan_.entry.index()]) write_stop(plan_.entry, "Lstart");
    for (const LocationId stop : plan_.stops) write_stop(stop, label(stop));
    if (returns_) put("end_returned:\n  (false);\n");
    put("}}\n\n");
  }

  void write_registers() {
    const Function& function = program_.function(program_.thread(thread_).function);
    for (std::size_t i = 0; i < function.registers.size(); ++i) {
      const RegisterId reg(i);
      expressions_.require_range(plan_.initial[i], program_.thread(thread_).position);
      const std::string line =
          fmt::format("int {} = {};\n", expressions_.register_name(thread_, reg), plan_.initial[i]);
      if (is_observed(reg)) {
        global_registers_.push_back(line);
      } else {
        put("  {}", line);
      }
    }
  }

  bool is_observed(RegisterId reg) const {
    const auto found = observed_.find(thread_);
    return found != observed_.end() && found->second.contains(reg);
  }

  const Marks& marks_of(LocationId location) const {
    static const Marks kNoMarks;
    const auto found = marks_.find({thread_, location});
    return found == marks_.end() ? kNoMarks : found->second;
  }

  std::string label(LocationId location) const {
    const bool end = program_.location(location).edges.empty();
    return identifier(end ? "end_L" : "L", program_.location(location).label, location.index());
  }

  void write_stop(LocationId stop, const std::string& name) {
    put("{}:\n", name);
    const auto& edges = program_.location(stop).edges;
    if (edges.empty()) return put("  (false);\n");
    put("  if\n");
    for (const EdgeId id : edges) {
      stop_ = stop;
      put("  :: atomic {{ ");
      write_edge(program_.edge(id), true, false);
      put("}}\n");
    }
    put("  fi;\n");
  }

  // An edge and everything up to the next stop. `first`: the step starts here; `in_block`: inside an atomic
  // block.
  void write_edge(const Edge& edge, bool first, bool in_block) {
    if (!fits()) return;
    const Opcode op = edge.instruction.op;
    const std::string action = statement(edge);
    if (first) {
      put("{}", guard(edge, action));
      if (stop_ == plan_.entry) put("{}", initial_checks());
    }
    put("{}", action);
    if (first)
      for (const std::string& bit : marks_of(stop_)) put("{} = false; ", bit);
    if (op == Opcode::kAtomicBegin && uses_inside_) put("inside = true; ");
    if (op == Opcode::kAtomicEnd && uses_inside_) put("inside = false; ");
    if (op == Opcode::kReturn) {
      returns_ = true;
      return put("goto end_returned; ");
    }
    if (edge.instruction.result) written_.push_back(edge.instruction.result);
    write_rest(edge.target, op == Opcode::kAtomicBegin || (in_block && op != Opcode::kAtomicEnd));
    if (edge.instruction.result) written_.pop_back();
  }

  void write_rest(LocationId location, bool in_block) {
    if (plan_.is_stop[location.index()] && !in_block) return write_arrival(location);
    const auto& edges = program_.location(location).edges;
    if (edges.size() == 1) return write_edge(program_.edge(edges[0]), false, in_block);
    put("if ");
    for (const EdgeId id : edges) {
      put(":: ");
      write_edge(program_.edge(id), false, in_block);
    }
    put("fi; ");
  }

  void write_arrival(LocationId location) {
    reset_dead_registers(location);
    for (const std::string& bit : marks_of(location)) put("{} = true; ", bit);
    for (const std::string& bit : marks_of(location)) put("assert(!({})); ", badness(bit));
    put("{}goto {}; ", invariant_checks(), label(location));
  }

  // What is bad once `bit` is set: all bits of its goal, or another bit of the same exclusive list.
  std::string badness(const std::string& bit) const {
    const std::string property = bit.substr(0, bit.rfind('_'));
    const Marks& bits = bits_.at(property);
    if (property.starts_with("goal")) return fmt::format("{}", fmt::join(bits, " && "));
    Marks others;
    std::copy_if(bits.begin(), bits.end(), std::back_inserter(others),
                 [&](const auto& b) { return b != bit; });
    return others.empty() ? "false" : fmt::format("{}", fmt::join(others, " || "));
  }

  // The initial state counts, and no step leads there.
  std::string initial_checks() {
    std::string out;
    for (const std::string& bit : marks_of(plan_.entry)) out += fmt::format("assert(!({})); ", badness(bit));
    return out + invariant_checks();
  }

  std::string invariant_checks() {
    std::string out;
    for (const Invariant& invariant : program_.properties.invariants)
      out += fmt::format("assert({}); ",
                         expressions_.expression(invariant.expression, ThreadId(), invariant.position));
    return out;
  }

  void reset_dead_registers(LocationId location) {
    const Function& function = program_.function(program_.thread(thread_).function);
    for (std::size_t i = 0; i < function.registers.size(); ++i) {
      const RegisterId reg(i);
      const bool written = std::find(written_.begin(), written_.end(), reg) != written_.end();
      if ((written || live_.live(stop_, reg)) && !live_.live(location, reg) && !is_observed(reg))
        put("{} = 0; ", expressions_.register_name(thread_, reg));
    }
  }

  // --- Instructions
  // -------------------------------------------------------------------------------------------

  // What must hold for the step to start; "" if its first statement says so itself.
  std::string guard(const Edge& edge, const std::string& action) {
    const Opcode op = edge.instruction.op;
    const bool touches =
        op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw || op == Opcode::kAtomicBegin;
    const std::size_t me = thread_.index() + 1;
    Marks conditions;
    if (uses_inside_) conditions.push_back("!inside");
    if (uses_lock_ && touches) conditions.push_back(fmt::format("(lock_owner == 0 || lock_owner == {})", me));
    if (op == Opcode::kLock) conditions.push_back("lock_owner == 0");
    if (op == Opcode::kUnlock) conditions.push_back(fmt::format("lock_owner == {}", me));
    if (op == Opcode::kAssume && !conditions.empty())
      conditions.push_back(expressions_.expression(edge.instruction.a, thread_, edge.position));
    if (conditions.empty()) return action.empty() ? "true -> " : "";
    return fmt::format("{} -> ", fmt::join(conditions, " && "));
  }

  std::string statement(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const SourcePosition at = edge.position;
    const auto value = [&](ExprId id) { return expressions_.expression(id, thread_, at); };
    const auto cell = [&] {
      expressions_.require_type(i.type, at);
      return expressions_.cell(i.a, thread_, at);
    };
    const std::string result = i.result ? expressions_.register_name(thread_, i.result) : "";
    const std::string checks = expressions_.division_checks(i.a, thread_, at) +
                               expressions_.division_checks(i.b, thread_, at) +
                               expressions_.division_checks(i.c, thread_, at);
    if (i.op == Opcode::kAssume && !checks.empty())
      expressions_.complain(
          at, "a condition that divides by something else than a number cannot be written in Promela");
    switch (i.op) {
      case Opcode::kAssign: return fmt::format("{}{} = {}; ", checks, result, value(i.a));
      case Opcode::kAssume: return fmt::format("({}) -> ", value(i.a));
      case Opcode::kAssert: return fmt::format("{}assert({}); ", checks, value(i.a));
      case Opcode::kLoad: return fmt::format("{}{} = {}; ", checks, result, cell());
      case Opcode::kStore: return fmt::format("{}{} = {}; ", checks, cell(), value(i.b));
      case Opcode::kRmw: return checks + rmw(i, cell(), result, at);
      case Opcode::kLock: return fmt::format("lock_owner = {}; ", thread_.index() + 1);
      case Opcode::kUnlock: return "lock_owner = 0; ";
      case Opcode::kChoose: return choice(i, result, at);
      default: return "";
    }
  }

  std::string rmw(const Instruction& i, const std::string& cell, const std::string& result,
                  SourcePosition at) {
    std::string out = fmt::format("new = {}; ", expressions_.expression(i.b, thread_, at));
    if (i.rmw == RmwOp::kCompareExchange)
      out += fmt::format("expected = {}; ", expressions_.expression(i.c, thread_, at));
    out += fmt::format("old = {}; ", cell);
    switch (i.rmw) {
      case RmwOp::kExchange: out += fmt::format("{} = new; ", cell); break;
      case RmwOp::kAdd: out += fmt::format("{} = old + new; ", cell); break;
      case RmwOp::kSub: out += fmt::format("{} = old - new; ", cell); break;
      case RmwOp::kBitAnd: out += fmt::format("{} = old & new; ", cell); break;
      case RmwOp::kBitOr: out += fmt::format("{} = old | new; ", cell); break;
      case RmwOp::kBitXor: out += fmt::format("{} = old ^ new; ", cell); break;
      case RmwOp::kCompareExchange: out += fmt::format("{} = (old == expected -> new : old); ", cell); break;
      default: break;  // not in a plain program
    }
    return result.empty() ? out : out + fmt::format("{} = old; ", result);
  }

  std::string choice(const Instruction& i, const std::string& result, SourcePosition at) {
    expressions_.require_range(i.low, at);
    expressions_.require_range(i.high, at);
    if (i.high - i.low >= kMostAlternatives)
      return fmt::format("select ({} : {} .. {}); ", result, i.low, i.high);
    std::string out = "if ";
    for (Value v = i.low; v <= i.high; ++v) out += fmt::format(":: {} = {} ", result, v);
    return out + "fi; ";
  }

  const Program& program_;
  LiveRegisters live_;
  Expressions expressions_;
  std::map<std::pair<ThreadId, LocationId>, Marks> marks_;
  std::map<std::string, Marks> bits_;  // per property
  std::map<ThreadId, std::set<RegisterId>> observed_;
  std::set<std::string> initially_set_;
  std::vector<std::string> global_registers_;
  bool uses_lock_ = false, uses_inside_ = false;
  ThreadId thread_;  // being written
  ThreadPlan plan_;
  LocationId stop_;                  // where the step being written starts
  std::vector<RegisterId> written_;  // on the way from there
  bool returns_ = false;
  std::string out_;
};

}  // namespace

Expected<std::string, std::vector<Diagnostic>> promela(const Program& program) {
  if (const auto found = beyond_plain(program))
    return std::vector<Diagnostic>{
        {Severity::kError, fmt::format("Promela cannot express {}", found->what), found->position, ""}};
  return PromelaWriter(program).run();
}

}  // namespace weir
