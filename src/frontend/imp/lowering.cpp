// From IMP syntax to a program.
//
// Every read of a shared variable becomes a load into a temporary register of its own; all reads of an
// expression happen from left to right before it is evaluated, those under `and` and `or` too. Temporaries
// are named $0, $1, ... and are used again by the next statement. A condition becomes two edges with
// complementary assumes. A statement's label is the label of the location where it starts: for `while`, where
// the loads of its condition start.
//
// Scalars lie side by side from address 0; arrays lie 2^32 cells apart, so that a wrong index is an access
// outside of every object rather than one to a neighbour.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

namespace {

using Objects = std::unordered_map<std::string, ObjectId>;

constexpr Value kArraySpacing = Value{1} << 32;

Objects add_objects(const ProgramSyntax& syntax, Program& program) {
  Objects objects;
  Value next_scalar = 0, next_array = kArraySpacing;
  for (const Variable& variable : syntax.variables) {
    Value& base = variable.is_array ? next_array : next_scalar;
    objects.emplace(variable.name.text, ObjectId(program.objects.size()));
    program.objects.push_back({.name = variable.name.text,
                               .base = base,
                               .initial = variable.initial,
                               .position = variable.name.position});
    base += variable.is_array ? kArraySpacing : 1;
  }
  return objects;
}

// Does the term, or a statement, mention the process's own number?
bool mentions_own_number(const Terms& terms, TermId id) {
  if (!id) return false;
  const Term& term = terms[id];
  return (term.kind == Term::Kind::kName && term.name == kOwnNumber) || mentions_own_number(terms, term.a) ||
         mentions_own_number(terms, term.b);
}

bool mentions_own_number(const Terms& terms, const std::vector<Statement>& statements) {
  for (const Statement& s : statements)
    if (mentions_own_number(terms, s.index) || mentions_own_number(terms, s.value) ||
        mentions_own_number(terms, s.body) || mentions_own_number(terms, s.otherwise))
      return true;
  return false;
}

class ProcessLowering {
 public:
  ProcessLowering(const ProgramSyntax& syntax, const Process& process, const Objects& objects,
                  Program& program)
      : terms_(syntax.terms),
        process_(process),
        objects_(objects),
        program_(program),
        function_(program.add_function(process.name.text, process.name.position)) {}

  FunctionId lower() {
    if (process_.copies > 0 && mentions_own_number(terms_, process_.body)) {
      locals_.emplace(kOwnNumber, program_.add_register(function_, kOwnNumber));
      program_.functions[function_.index()].parameter_count = 1;
    }
    const std::vector<Statement> body = take_leading_locals();
    const LocationId entry = start(body, process_.name.position);
    program_.functions[function_.index()].entry = entry;
    if (has_code(body)) {
      lower_list(body, entry, program_.add_location(function_));
    } else {
      lower_declarations(body);
    }
    return function_;
  }

 private:
  // `local x` without a value is no step.
  static bool is_code(const Statement& statement) {
    return statement.kind != Statement::Kind::kLocal || statement.value || !statement.label.empty();
  }
  static bool has_code(const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(), is_code);
  }

  bool is_number(TermId id) const { return id && terms_[id].kind == Term::Kind::kNumber; }

  // Locals declared at the very start with a constant are initial values, not steps.
  std::vector<Statement> take_leading_locals() {
    auto rest = process_.body.begin();
    for (; rest != process_.body.end(); ++rest) {
      const bool constant = !rest->value || is_number(rest->value);
      if (rest->kind != Statement::Kind::kLocal || !rest->label.empty() || !constant) break;
      declare(rest->target, rest->value ? terms_[rest->value].value : 0);
    }
    return {rest, process_.body.end()};
  }

  RegisterId declare(const Name& name, Value initial = 0) {
    if (name.text == kOwnNumber)
      fail(name.position, fmt::format("'{}' is the number of a process; it cannot be declared", kOwnNumber));
    if (objects_.contains(name.text))
      fail(name.position, fmt::format("'{}' is a shared variable already", name.text));
    if (locals_.contains(name.text))
      fail(name.position, fmt::format("a second local variable named '{}'", name.text));
    const RegisterId reg = program_.add_register(function_, name.text, kInt64, initial);
    locals_.emplace(name.text, reg);
    return reg;
  }

  void lower_declarations(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) declare(statement.target);
  }

  // The location where a list of statements starts.
  LocationId start(const std::vector<Statement>& statements, SourcePosition otherwise) {
    const auto first = std::find_if(statements.begin(), statements.end(), is_code);
    if (first == statements.end()) return program_.add_location(function_, {}, otherwise);
    return program_.add_location(function_, first->label.text, first->position);
  }

  // The statements, from `from` to `to`. The caller has labelled `from`; there is code.
  void lower_list(const std::vector<Statement>& statements, LocationId from, LocationId to) {
    for (auto s = statements.begin(); s != statements.end(); ++s) {
      if (!is_code(*s)) {
        declare(s->target);
        continue;
      }
      const auto next = std::find_if(s + 1, statements.end(), is_code);
      const LocationId after =
          next == statements.end() ? to : program_.add_location(function_, next->label.text, next->position);
      lower_statement(*s, from, after);
      from = after;
    }
  }

  void lower_statement(const Statement& s, LocationId from, LocationId to) {
    next_temporary_ = 0;
    switch (s.kind) {
      case Statement::Kind::kSkip: return edge(from, to, {.op = Opcode::kNop}, s.position);
      case Statement::Kind::kFence: return edge(from, to, {.op = Opcode::kFence}, s.position);
      case Statement::Kind::kLocal: return lower_local(s, from, to);
      case Statement::Kind::kAssign: return lower_assignment(s, from, to);
      case Statement::Kind::kIf: return lower_if(s, from, to);
      case Statement::Kind::kWhile: return lower_while(s, from, to);
      case Statement::Kind::kAtomic: return lower_atomic(s, from, to);
      case Statement::Kind::kAssert: return lower_condition(s, Opcode::kAssert, from, to);
      case Statement::Kind::kAssume: return lower_condition(s, Opcode::kAssume, from, to);
    }
  }

  void lower_local(const Statement& s, LocationId from, LocationId to) {
    // The value cannot mention the variable that it initialises.
    LocationId at = from;
    if (!s.value) {
      declare(s.target);
      return edge(from, to, {.op = Opcode::kNop}, s.position);
    }
    if (const auto address = shared_read(s.value, at))
      return edge(at, to, {.op = Opcode::kLoad, .result = declare(s.target), .a = *address}, s.position);
    const ExprId value = evaluate(s.value, at);
    edge(at, to, {.op = Opcode::kAssign, .result = declare(s.target), .a = value}, s.position);
  }

  void lower_assignment(const Statement& s, LocationId from, LocationId to) {
    if (s.target.text == kOwnNumber)
      fail(s.target.position, fmt::format("assignment to '{}', the number of a process", kOwnNumber));
    LocationId at = from;
    const auto local = locals_.find(s.target.text);
    if (local == locals_.end()) {
      const ExprId address = shared_address(s.target.text, s.target.position, s.index, at);
      const ExprId value = evaluate(s.value, at);
      return edge(at, to, {.op = Opcode::kStore, .a = address, .b = value}, s.position);
    }
    if (s.index)
      fail(s.target.position, fmt::format("'{}' is a local variable, not an array", s.target.text));
    if (const auto address = shared_read(s.value, at))
      return edge(at, to, {.op = Opcode::kLoad, .result = local->second, .a = *address}, s.position);
    const ExprId value = evaluate(s.value, at);
    edge(at, to, {.op = Opcode::kAssign, .result = local->second, .a = value}, s.position);
  }

  void lower_condition(const Statement& s, Opcode op, LocationId from, LocationId to) {
    LocationId at = from;
    const ExprId condition = evaluate(s.value, at);
    Instruction instruction{.op = op, .a = condition};
    if (op == Opcode::kAssert)
      instruction.message = fmt::format("assertion '{}' fails", print(terms_, s.value));
    edge(at, to, std::move(instruction), s.position);
  }

  void lower_if(const Statement& s, LocationId from, LocationId to) {
    LocationId at = from;
    const ExprId condition = evaluate(s.value, at);
    const LocationId yes = has_code(s.body) ? start(s.body, s.position) : to;
    const LocationId no = has_code(s.otherwise) ? start(s.otherwise, s.position) : to;
    branch(s, condition, at, yes, no);
    lower_branch(s.body, yes, to);
    lower_branch(s.otherwise, no, to);
  }

  void lower_while(const Statement& s, LocationId from, LocationId to) {
    LocationId at = from;
    const ExprId condition = evaluate(s.value, at);
    const LocationId yes = has_code(s.body) ? start(s.body, s.position) : from;
    branch(s, condition, at, yes, to);
    lower_branch(s.body, yes, from);
  }

  void lower_branch(const std::vector<Statement>& statements, LocationId from, LocationId to) {
    if (has_code(statements)) return lower_list(statements, from, to);
    lower_declarations(statements);
  }

  // A constant condition has one edge only, so that `while true` never offers to leave.
  void branch(const Statement& s, ExprId condition, LocationId at, LocationId yes, LocationId no) {
    const SourcePosition position = terms_[s.value].position;
    if (is_number(s.value))
      return edge(at, terms_[s.value].value != 0 ? yes : no, {.op = Opcode::kNop}, position);
    edge(at, yes, {.op = Opcode::kAssume, .a = condition}, position);
    const ExprId negation = program_.unary(ExprOp::kLogicalNot, condition);
    edge(at, no, {.op = Opcode::kAssume, .a = negation}, position);
  }

  void lower_atomic(const Statement& s, LocationId from, LocationId to) {
    const LocationId first = start(s.body, s.position);
    const LocationId last = has_code(s.body) ? program_.add_location(function_, {}, s.position) : first;
    edge(from, first, {.op = Opcode::kAtomicBegin}, s.position);
    lower_branch(s.body, first, last);
    edge(last, to, {.op = Opcode::kAtomicEnd}, s.position);
  }

  void edge(LocationId from, LocationId to, Instruction instruction, SourcePosition position) {
    program_.add_edge(from, to, std::move(instruction), position);
  }

  RegisterId temporary() {
    if (next_temporary_ == temporaries_.size())
      temporaries_.push_back(program_.add_register(function_, fmt::format("${}", next_temporary_)));
    return temporaries_[next_temporary_++];
  }

  // The expression over registers; the loads that it needs go from `at`, which moves behind them.
  ExprId evaluate(TermId id, LocationId& at) {
    const Term& term = terms_[id];
    if (term.kind == Term::Kind::kNumber) return program_.constant(term.value);
    if (const auto address = shared_read(id, at)) {
      const RegisterId result = temporary();
      const LocationId loaded = program_.add_location(function_, {}, term.position);
      edge(at, loaded, {.op = Opcode::kLoad, .result = result, .a = *address}, term.position);
      at = loaded;
      return program_.register_value(result);
    }
    if (term.kind == Term::Kind::kName) return program_.register_value(locals_.at(term.name));
    const ExprId a = evaluate(term.a, at);
    if (term.kind == Term::Kind::kUnary) return program_.unary(term.op, a);
    const ExprId b = evaluate(term.b, at);
    return program_.binary(term.op, a, b);
  }

  // The address that the term reads, if it is a shared variable or an element; an index may need loads.
  std::optional<ExprId> shared_read(TermId id, LocationId& at) {
    const Term& term = terms_[id];
    if (term.kind != Term::Kind::kName && term.kind != Term::Kind::kElement) return std::nullopt;
    if (locals_.contains(term.name)) {
      if (term.kind == Term::Kind::kName) return std::nullopt;
      fail(term.position, fmt::format("'{}' is a local variable, not an array", term.name));
    }
    return shared_address(term.name, term.position, term.a, at);
  }

  ExprId shared_address(const std::string& name, SourcePosition position, TermId index, LocationId& at) {
    const SharedObject& object = program_.object(shared(name, position));
    const bool is_array = object.base >= kArraySpacing;
    if (is_array && !index) fail(position, fmt::format("'{}' is an array; say which element", name));
    if (!is_array && index) fail(position, fmt::format("'{}' is not an array", name));
    if (!index) return program_.constant(object.base);
    if (is_number(index)) {
      const Value element = terms_[index].value;
      const Value size = static_cast<Value>(object.initial.size());
      if (element < 0 || element >= size)
        fail(terms_[index].position, fmt::format("'{}' has the elements 0 to {}", name, size - 1));
      return program_.constant(object.base + element);
    }
    const ExprId base = program_.constant(object.base);
    return program_.binary(ExprOp::kAdd, base, evaluate(index, at));
  }

  ObjectId shared(const std::string& name, SourcePosition position) const {
    const auto object = objects_.find(name);
    if (object != objects_.end()) return object->second;
    if (name == kOwnNumber)
      fail(position, fmt::format("'{}' is known only in a process with copies, such as {}[2]", kOwnNumber,
                                 process_.name.text));
    fail(position, fmt::format("unknown variable '{}'", name),
         "declare it before the processes with 'variables', or in the process with 'local'");
  }

  const Terms& terms_;
  const Process& process_;
  const Objects& objects_;
  Program& program_;
  FunctionId function_;
  std::unordered_map<std::string, RegisterId> locals_;
  std::vector<RegisterId> temporaries_;
  std::size_t next_temporary_ = 0;
};

void add_threads(const Process& process, FunctionId function, Program& program) {
  if (process.copies == 0) {
    program.add_thread(process.name.text, function, process.name.position);
    return;
  }
  for (std::size_t i = 0; i < process.copies; ++i) {
    const ThreadId thread =
        program.add_thread(fmt::format("{}{}", process.name.text, i), function, process.name.position);
    if (program.function(function).parameter_count == 1)
      program.threads[thread.index()].arguments = {static_cast<Value>(i)};
  }
}

// The threads that a place names: one, the copies of a process, or all.
std::vector<ThreadId> threads_of(const Name& process, const Program& program) {
  std::vector<ThreadId> found;
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    const Thread& thread = program.threads[i];
    if (process.empty() || thread.name == process.text ||
        program.function(thread.function).name == process.text)
      found.push_back(ThreadId(i));
  }
  if (found.empty()) fail(process.position, fmt::format("unknown process '{}'", process.text));
  return found;
}

std::vector<ThreadLocation> resolve(const std::vector<Place>& places, const Program& program) {
  std::vector<ThreadLocation> result;
  for (const Place& place : places) {
    bool found = false;
    for (const ThreadId thread : threads_of(place.process, program)) {
      const auto location = program.find_label(program.thread(thread).function, place.label.text);
      if (!location) continue;
      found = true;
      const ThreadLocation resolved{thread, *location};
      if (std::find(result.begin(), result.end(), resolved) == result.end()) result.push_back(resolved);
    }
    const std::string where =
        place.process.empty() ? "" : fmt::format(" in process '{}'", place.process.text);
    if (!found) fail(place.label.position, fmt::format("no label '{}'{}", place.label.text, where));
  }
  return result;
}

}  // namespace

void lower(const ProgramSyntax& syntax, Program& program) {
  program.name = syntax.name;
  const Objects objects = add_objects(syntax, program);
  for (const Process& process : syntax.processes)
    add_threads(process, ProcessLowering(syntax, process, objects, program).lower(), program);
  for (const auto& places : syntax.exclusive)
    program.properties.exclusive.push_back(resolve(places, program));
  if (!syntax.goal.empty()) program.properties.goals.push_back(resolve(syntax.goal, program));
}

}  // namespace weir::imp
