// From RMM syntax to a program: memory, threads, what is forbidden.
//
// Threads are called P0, P1, … in the order of the processes and their copies. A thread whose code depends on
// which process it is, as it names its own cell or one of another process, is no template (`Thread::single`).
//
// Where shared variables start with any value, a further thread `init` chooses these and writes them, and
// then sets a cell of its own, for which the others wait. Their first labels are reached only then.
#include <fmt/format.h>

#include "frontend/rmm/process_lowering.hpp"

namespace weir::rmm {

namespace {

class ProgramLowering {
 public:
  ProgramLowering(const ProgramSyntax& syntax, OutsideRange outside, Program& program)
      : syntax_(syntax), outside_(outside), program_(program), variables_(syntax, program) {}

  void lower() {
    const bool initialises = !variables_.arbitrary().empty();
    const std::optional<Value> ready = initialises ? std::optional(variables_.free_address()) : std::nullopt;
    if (ready) program_.objects.push_back({.name = "initialised", .base = *ready, .initial = {0}});
    for (std::size_t p = 0; p < syntax_.processes.size(); ++p) {
      processes_.push_back(lower_process(syntax_, variables_, p, outside_, ready, program_));
      add_threads(p);
    }
    if (ready) add_initialisation(*ready);
    for (const auto& list : syntax_.forbidden) add_goal(list);
  }

 private:
  void add_threads(std::size_t p) {
    const Process& process = syntax_.processes[p];
    const LoweredProcess& lowered = processes_[p];
    for (std::size_t copy = 0; copy < process.copies; ++copy) {
      const std::size_t number = program_.threads.size();
      program_.add_thread(fmt::format("P{}", number), lowered.function, process.position);
      Thread& thread = program_.threads.back();
      thread.single = lowered.knows_itself;
      if (program_.function(lowered.function).parameter_count == 1)
        thread.arguments = {static_cast<Value>(number)};
      process_of_.push_back(p);
    }
  }

  void add_initialisation(Value ready) {
    const FunctionId function = program_.add_function("init");
    const RegisterId value = program_.add_register(function, "value");
    LocationId at = program_.add_location(function);
    program_.functions[function.index()].entry = at;
    const auto step = [&](Instruction instruction, SourcePosition position) {
      const LocationId next = program_.add_location(function);
      program_.add_edge(at, next, std::move(instruction), position);
      at = next;
    };
    const auto store = [&](Value address, ExprId what) -> Instruction {
      return {.op = Opcode::kStore, .order = Order::kSequential, .a = program_.constant(address), .b = what};
    };
    for (const ArbitraryCell& cell : variables_.arbitrary()) {
      const SourcePosition position = cell.declaration->name.position;
      const Range values = arbitrary_values(syntax_, *cell.declaration);
      step({.op = Opcode::kChoose, .result = value, .low = values.low, .high = values.high}, position);
      step(store(cell.address, program_.register_value(value)), position);
    }
    step(store(ready, program_.constant(1)), {});
    program_.add_thread("init", function);
    program_.threads.back().single = true;
  }

  void add_goal(const std::vector<Name>& list) {
    if (list.size() != process_of_.size())
      fail(list.front().position,
           fmt::format(
               "this list has {} {}, but there {} {}", list.size(), list.size() == 1 ? "entry" : "entries",
               process_of_.size() == 1 ? "is" : "are",
               process_of_.size() == 1 ? "one process" : fmt::format("{} processes", process_of_.size())),
           "it has a label or '*' for every copy of every process, in their order");
    std::vector<ThreadLocation> goal;
    for (std::size_t thread = 0; thread < list.size(); ++thread)
      if (list[thread].text != "*") goal.push_back({ThreadId(thread), find_label(list[thread], thread)});
    if (goal.empty())
      fail(list.front().position, "a list of '*' only forbids every state", "name a label of a process");
    program_.properties.goals.push_back(std::move(goal));
  }

  LocationId find_label(const Name& label, std::size_t thread) const {
    const LoweredProcess& process = processes_[process_of_[thread]];
    const auto found = process.labels.find(label.text);
    if (found != process.labels.end()) return found->second;
    if (process.hidden_labels.contains(label.text))
      fail(label.position, fmt::format("label '{}' of P{} is inside a locked block, where nobody sees it",
                                       label.text, thread));
    fail(label.position, fmt::format("P{} has no label '{}'", thread, label.text));
  }

  const ProgramSyntax& syntax_;
  OutsideRange outside_;
  Program& program_;
  Variables variables_;
  std::vector<LoweredProcess> processes_;
  std::vector<std::size_t> process_of_;  // per thread
};

}  // namespace

void lower(const ProgramSyntax& syntax, OutsideRange outside, Program& program) {
  ProgramLowering(syntax, outside, program).lower();
}

}  // namespace weir::rmm
