// Every location that can be reached becomes a label, followed by what can be done there: a statement and a
// `goto`, or `either` with one branch for each. Atomic blocks become `locked`, with a branch for each way
// through the block, since RMM does not jump out of one: they must not contain loops, and not too many ways.
// A way that ends with a failed assertion is one, too.
// What RMM lacks is said with what it has where that is exact: a failing assertion is a jump to a forbidden
// label, read-modify-writes are `locked`, a truth value is chosen by two branches.
#include "frontend/rmm/printer_process.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace weir::rmm {

namespace {

constexpr std::size_t kMostBranches = 256;
constexpr Value kMostChoices = 64;

// Statements, and where they lead.
struct Branch {
  std::string statements;
  LocationId target;
  bool fails = false;  // leads to the label for failed assertions
  bool stops = false;  // leads to the end
};

class ProcessPrinter {
 public:
  ProcessPrinter(const Program& program, ThreadId thread, const CellNames& cells, const LiveRegisters& live,
                 Problems& problems)
      : program_(program),
        thread_(program.thread(thread)),
        function_(program.function(thread_.function)),
        cells_(cells),
        live_(live),
        problems_(problems),
        expressions_(program, thread_, problems),
        old_(expressions_.fresh_register("old")) {}

  PrintedProcess print() {
    find_locations();
    result_.never = labels_.name("never", "q");
    const std::string failed = labels_.name("failed", "q");
    const std::string end = labels_.name("end", "q");
    failed_ = failed, end_ = end;
    for (std::size_t i = 0; i < order_.size(); ++i) print_location(i);
    if (uses_failed_) body_ += fmt::format("  {}: goto {};\n", failed, end);
    body_ += fmt::format("  {}: goto {};\n  {}: nop\n", result_.never, end, end);
    result_.failed = uses_failed_ ? failed : "";
    result_.text = registers() + "text\n" + body_;
    return std::move(result_);
  }

 private:
  // Depth first, so that code that runs in a row stands in a row.
  void find_locations() {
    std::set<LocationId> seen;
    std::vector<LocationId> open{function_.entry};
    while (!open.empty()) {
      const LocationId location = open.back();
      open.pop_back();
      if (!seen.insert(location).second) continue;
      order_.push_back(location);
      result_.labels[location] = labels_.name(
          program_.location(location).label,
          program_.location(location).label.empty() ? fmt::format("q{}", location.index()) : "q");
      const std::vector<Branch>& here = branches_[location] = branches_at(location);
      for (auto branch = here.rbegin(); branch != here.rend(); ++branch)
        if (!branch->fails && !branch->stops) open.push_back(branch->target);
    }
  }

  std::string registers() {
    std::string text;
    for (std::size_t i = 0; i < function_.registers.size(); ++i) {
      const RegisterId reg(i);
      if (!expressions_.is_used(reg)) continue;
      if (function_.registers[i].type != kInt64)
        problems_.refuse(function_.position, "registers of other types than int64");
      const Value initial =
          i < function_.parameter_count ? thread_.arguments[i] : function_.registers[i].initial;
      text += fmt::format("  {} = {}\n", expressions_.register_name(reg), initial);
    }
    if (uses_old_) text += fmt::format("  {} = 0\n", old_);
    return text.empty() ? text : "registers\n" + text;
  }

  void print_location(std::size_t number) {
    const LocationId location = order_[number];
    const std::vector<Branch>& branches = branches_[location];
    const LocationId next = number + 1 < order_.size() ? order_[number + 1] : LocationId::none();
    body_ += fmt::format("  {}:\n", result_.labels[location]);
    if (branches.empty()) {
      body_ += fmt::format("    goto {};\n", end_);
    } else if (branches.size() == 1) {
      const Branch& only = branches[0];
      const bool follows = !only.fails && !only.stops && only.target == next;
      body_ += "    " + (follows && !only.statements.empty() ? only.statements : with_goto(only)) + ";\n";
    } else {
      std::string text;
      for (const Branch& branch : branches)
        text += fmt::format("{}      {}\n", text.empty() ? "" : "    or\n", with_goto(branch));
      body_ += fmt::format("    either {{\n{}    }};\n", text);
    }
  }

  std::string with_goto(const Branch& branch) {
    uses_failed_ |= branch.fails;
    const std::string& target = branch.fails ? failed_ : branch.stops ? end_ : result_.labels[branch.target];
    return fmt::format("{}{}goto {}", branch.statements, branch.statements.empty() ? "" : "; ", target);
  }

  // What can be done.

  std::vector<Branch> branches_at(LocationId location) {
    std::vector<Branch> branches;
    for (const EdgeId id : program_.location(location).edges) {
      const Edge& edge = program_.edge(id);
      const std::vector<Branch> more =
          edge.instruction.op == Opcode::kAtomicBegin ? ways_through(edge) : ways(edge);
      branches.insert(branches.end(), more.begin(), more.end());
    }
    return branches;
  }

  // One `locked` for each place behind the block.
  std::vector<Branch> ways_through(const Edge& begin) {
    std::vector<Branch> found;
    std::vector<LocationId> path;
    follow(begin.target, "", path, found);
    std::map<std::pair<bool, LocationId>, std::string> by_target;  // a failure leads elsewhere
    for (const Branch& way : found) {
      std::string& text = by_target[{way.fails, way.fails ? LocationId::none() : way.target}];
      text +=
          fmt::format("{}{}", text.empty() ? "" : " or ", way.statements.empty() ? "nop" : way.statements);
    }
    std::vector<Branch> result;
    for (const auto& [end, text] : by_target) {
      // A block that does not write waits for the buffer only if it says so.
      const bool writes = text.find("write: ") != std::string::npos;
      result.push_back({.statements = fmt::format("locked {{ {}{} }}", writes ? "" : "fence; ", text),
                        .target = end.second,
                        .fails = end.first});
    }
    return result;
  }

  // `path`: where the way has been, inside of the block.
  void follow(LocationId at, const std::string& before, std::vector<LocationId>& path,
              std::vector<Branch>& found) {
    if (std::ranges::find(path, at) != path.end())
      return problems_.refuse(program_.location(at).position, "a loop inside of an atomic block");
    if (found.size() > kMostBranches)
      return problems_.refuse(program_.location(at).position, "an atomic block with so many branches");
    path.push_back(at);
    for (const EdgeId id : program_.location(at).edges) {
      const Edge& edge = program_.edge(id);
      if (edge.instruction.op == Opcode::kAtomicEnd) {
        found.push_back({before, edge.target});
        continue;
      }
      for (const Branch& way : ways(edge)) {
        const bool nothing = way.statements == "fence" || way.statements.empty();
        const std::string gap = before.empty() || nothing ? "" : "; ";
        const std::string so_far = before + gap + (nothing ? "" : way.statements);
        if (way.fails)
          found.push_back({.statements = so_far, .fails = true});
        else
          follow(way.target, so_far, path, found);
      }
    }
    path.pop_back();
  }

  std::vector<Branch> ways(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const SourcePosition position = edge.position;
    const auto simply = [&](std::string statements) {
      return std::vector<Branch>{{std::move(statements), edge.target}};
    };
    switch (i.op) {
      case Opcode::kNop: return simply("");
      case Opcode::kAssign: return assignment(edge);
      case Opcode::kAssume: return simply("assume: " + expressions_.condition(i.a, position));
      case Opcode::kAssert: return assertion(edge);
      case Opcode::kLoad: return simply(load(edge));
      case Opcode::kStore: return simply(store(edge));
      case Opcode::kRmw: return simply(read_modify_write(edge));
      case Opcode::kFence:
        if (i.fence != FenceKind::kFull) problems_.refuse(position, "store-store fences");
        return simply("fence");
      case Opcode::kChoose: return choice(edge);
      case Opcode::kReturn: return {{.target = edge.target, .stops = true}};
      case Opcode::kLock:
      case Opcode::kUnlock: problems_.refuse(position, "the global lock"); return {};
      case Opcode::kCall: problems_.refuse(position, "calls"); return {};
      default: problems_.refuse(position, "this instruction"); return {};
    }
  }

  std::vector<Branch> assignment(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const std::string reg = expressions_.register_name(i.result);
    if (!expressions_.is_condition(i.a))
      return {{fmt::format("{} := {}", reg, expressions_.arithmetic(i.a, edge.position)), edge.target}};
    return {
        {fmt::format("assume: {}; {} := 1", expressions_.condition(i.a, edge.position), reg), edge.target},
        {fmt::format("assume: {}; {} := 0", expressions_.negated(i.a, edge.position), reg), edge.target}};
  }

  std::vector<Branch> assertion(const Edge& edge) {
    const ExprId holds = edge.instruction.a;
    return {{"assume: " + expressions_.condition(holds, edge.position), edge.target},
            {.statements = "assume: " + expressions_.negated(holds, edge.position),
             .target = edge.target,
             .fails = true}};
  }

  std::vector<Branch> choice(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const auto values = static_cast<std::uint64_t>(i.high) - static_cast<std::uint64_t>(i.low);
    if (values >= static_cast<std::uint64_t>(kMostChoices)) {
      problems_.refuse(edge.position, "a choice among so many values");
      return {};
    }
    std::vector<Branch> result;
    for (Value value = i.low; value <= i.high; ++value)
      result.push_back({fmt::format("{} := {}", expressions_.register_name(i.result), value), edge.target});
    return result;
  }

  std::string load(const Edge& edge) {
    const Instruction& i = edge.instruction;
    const std::string reg = expressions_.register_name(i.result);
    if (!i.waits) return fmt::format("read: {} := {}", reg, place(edge));
    const std::string value = expressions_.arithmetic(i.c, edge.position);
    const std::string text = fmt::format("read: {} = {}", place(edge), value);
    return live_.live(edge.target, i.result) ? fmt::format("{}; {} := {}", text, reg, value) : text;
  }

  std::string store(const Edge& edge) {
    const Instruction& i = edge.instruction;
    if (i.order == Order::kRelease || i.order == Order::kAcquireRelease)
      problems_.refuse(edge.position, "release stores");
    return fmt::format("{}write: {} := {}", i.order == Order::kSequential ? "locked " : "", place(edge),
                       expressions_.arithmetic(i.b, edge.position));
  }

  std::string read_modify_write(const Edge& edge) {
    const Instruction& i = edge.instruction;
    uses_old_ = true;
    const std::string cell = place(edge);
    const std::string operand = expressions_.arithmetic(i.b, edge.position);
    const std::string read = fmt::format("read: {} := {}", old_, cell);
    const std::string keep =
        i.result ? fmt::format("; {} := {}", expressions_.register_name(i.result), old_) : "";
    switch (i.rmw) {
      case RmwOp::kExchange:
        return fmt::format("locked {{ {}; write: {} := {}{} }}", read, cell, operand, keep);
      case RmwOp::kAdd:
      case RmwOp::kSub:
        return fmt::format("locked {{ {}; write: {} := {} {} ({}){} }}", read, cell, old_,
                           i.rmw == RmwOp::kAdd ? '+' : '-', operand, keep);
      case RmwOp::kCompareExchange: {
        const std::string expected = expressions_.arithmetic(i.c, edge.position);
        return fmt::format(
            "locked {{ {0}; assume: {1} = {2}; write: {3} := {4}{5} or {0}; assume: {1} != {2}{5} }}", read,
            old_, expected, cell, operand, keep);
      }
      default:
        problems_.refuse(edge.position, "operators on bits, or other arithmetic than + and -");
        return "";
    }
  }

  std::string place(const Edge& edge) {
    const Instruction& i = edge.instruction;
    if (i.type != kInt64)
      problems_.refuse(edge.position, "values of other types than signed 64-bit integers");
    if (const auto address = constant_value(program_, i.a, expressions_.known())) {
      if (const auto name = cells_.name(*address)) return *name;
      problems_.refuse(edge.position, "an access outside of every variable");
      return "x";
    }
    if (!cells_.numbered_by_address())
      problems_.refuse(edge.position,
                       "computed addresses, unless all variables lie side by side from address 0");
    return fmt::format("[{}]", expressions_.arithmetic(i.a, edge.position));
  }

  const Program& program_;
  const Thread& thread_;
  const Function& function_;
  const CellNames& cells_;
  const LiveRegisters& live_;
  Problems& problems_;
  ExpressionWriter expressions_;
  std::string old_;  // a register for read-modify-writes
  NamePool labels_;
  std::string failed_, end_;
  std::vector<LocationId> order_;
  std::map<LocationId, std::vector<Branch>> branches_;
  bool uses_old_ = false, uses_failed_ = false;
  std::string body_;
  PrintedProcess result_;
};

}  // namespace

PrintedProcess print_process(const Program& program, ThreadId thread, const CellNames& cells,
                             const LiveRegisters& live, Problems& problems) {
  return ProcessPrinter(program, thread, cells, live, problems).print();
}

}  // namespace weir::rmm
