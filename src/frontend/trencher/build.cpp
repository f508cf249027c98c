// From the draft of a Trencher file to a program. Threads with the same body get one function, so that
// engines see the symmetry: bodies are compared as canonical text, which is linear in the size of the file.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "frontend/trencher/draft.hpp"

namespace weir::trencher {

namespace {

// Words contain no blanks, so joining them with blanks is injective.
std::string canonical(const PrefixExpression& expression) {
  std::string text;
  for (const Term& term : expression)
    text += term.op == ExprOp::kRegister   ? "r " + term.name + " "
            : term.op == ExprOp::kConstant ? fmt::format("c {} ", term.value)
                                           : fmt::format("o {} ", static_cast<int>(term.op));
  return text;
}

std::string canonical(const ThreadDraft& thread) {
  std::string text = thread.initial->text + "\n";
  std::vector<std::string> marks;
  for (const Name& mark : thread.finals) marks.push_back(mark.text);
  std::sort(marks.begin(), marks.end());
  for (const std::string& mark : marks) text += mark + " ";
  for (const Transition& t : thread.transitions)
    text += fmt::format("\n{} {} {} {}\n{}\n{}", t.source.text, t.target.text, static_cast<int>(t.op), t.reg,
                        canonical(t.value), canonical(t.address));
  return text;
}

// Builds the function of one thread.
class FunctionBuilder {
 public:
  FunctionBuilder(Program& program, const ThreadDraft& thread)
      : program_(program), function_(program.add_function(thread.name.text, thread.name.position)) {
    program_.functions[function_.index()].entry = location(*thread.initial);
    for (const Transition& transition : thread.transitions) add(transition);
  }

  FunctionId function() const { return function_; }

 private:
  LocationId location(const Name& state) {
    const auto [entry, is_new] = locations_.try_emplace(state.text);
    if (is_new) entry->second = program_.add_location(function_, state.text, state.position);
    return entry->second;
  }

  RegisterId reg(const std::string& name) {
    const auto [entry, is_new] = registers_.try_emplace(name);
    if (is_new) entry->second = program_.add_register(function_, name);
    return entry->second;
  }

  ExprId expression(const PrefixExpression& terms) {
    if (terms.empty()) return ExprId::none();
    std::size_t next = 0;
    return expression(terms, next);
  }

  // Recursion is as deep as the expression, which the reader bounds.
  ExprId expression(const PrefixExpression& terms, std::size_t& next) {
    const Term& term = terms[next++];
    if (term.op == ExprOp::kConstant) return program_.constant(term.value);
    if (term.op == ExprOp::kRegister) return program_.register_value(reg(term.name));
    const ExprId a = expression(terms, next);
    if (term.op == ExprOp::kLogicalNot) return program_.unary(term.op, a);
    const ExprId b = expression(terms, next);
    return program_.binary(term.op, a, b);
  }

  void add(const Transition& transition) {
    const LocationId source = location(transition.source);
    const LocationId target = location(transition.target);
    Instruction instruction{.op = transition.op};
    if (!transition.reg.empty()) instruction.result = reg(transition.reg);
    const ExprId value = expression(transition.value);
    const ExprId address = expression(transition.address);
    instruction.a = address ? address : value;
    if (transition.op == Opcode::kStore) instruction.b = value;
    program_.add_edge(source, target, std::move(instruction), transition.source.position);
  }

  Program& program_;
  FunctionId function_;
  std::unordered_map<std::string, LocationId> locations_;
  std::unordered_map<std::string, RegisterId> registers_;
};

void add_to_goal(Program& program, ThreadId thread, const ThreadDraft& draft) {
  const FunctionId function = program.thread(thread).function;
  std::vector<std::string> marks;
  for (const Name& mark : draft.finals) marks.push_back(mark.text);
  if (marks.empty()) return;
  std::vector<std::vector<ThreadLocation>>& goals = program.properties.goals;
  if (goals.empty()) goals.emplace_back();
  std::sort(marks.begin(), marks.end());
  const std::size_t first = program.function(function).entry.index();  // a function's locations are adjacent
  for (std::size_t i = first; i < program.locations.size() && program.locations[i].function == function; ++i)
    if (std::binary_search(marks.begin(), marks.end(), program.locations[i].label))
      goals.front().push_back({thread, LocationId(i)});
}

void add_objects(Program& program, const Draft& draft) {
  for (const auto& [address, cell] : draft.cells)
    program.objects.push_back({.name = cell.name.empty() ? fmt::format("[{}]", address) : cell.name,
                               .base = address,
                               .initial = {cell.initial.value_or(0)},
                               .position = cell.position});
}

}  // namespace

void build(const Draft& draft, Program& program) {
  std::unordered_map<std::string, FunctionId> functions;
  for (const ThreadDraft& thread : draft.threads) {
    const auto [entry, is_new] = functions.try_emplace(canonical(thread));
    if (is_new) {
      entry->second = FunctionBuilder(program, thread).function();
    } else {
      ++program.functions[entry->second.index()].copies;
    }
    const ThreadId id = program.add_thread(thread.name.text, entry->second, thread.name.position);
    add_to_goal(program, id, thread);
  }
  add_objects(program, draft);
}

}  // namespace weir::trencher
