#include "frontend/rmm/operands.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir::rmm {

std::string text(const Range& range) { return fmt::format("[{}:{}]", range.low, range.high); }

std::string text(const Place& place) {
  switch (place.kind) {
    case Place::Kind::kGlobal: return place.name.text;
    case Place::Kind::kOwn: return place.name.text + "[my]";
    case Place::Kind::kOther: return fmt::format("{}[{}]", place.name.text, place.other);
    case Place::Kind::kPointer: break;
  }
  return "the variable";
}

// Registers.

Operands::Operands(const ProgramSyntax& syntax, const Variables& variables, std::size_t process,
                   FunctionId function, Program& program)
    : terms_(syntax.terms),
      variables_(variables),
      process_(syntax.processes[process]),
      first_thread_(variables.first_thread(process)),
      program_(program),
      function_(function),
      knows_itself_(mentions_processes(process_.body)) {
  if (knows_itself_ && process_.copies > 1) {
    my_ = program_.add_register(function_, "my");
    program_.functions[function_.index()].parameter_count = 1;
  }
  for (const Declaration& declaration : process_.registers)
    registers_.emplace(declaration.name.text, declare(declaration, declaration.name.text));
  for (const Declaration& declaration : process_.data)
    if (!variables_.is_shared(declaration.name.text))
      own_.emplace(declaration.name.text, declare(declaration, declaration.name.text + "[my]"));
}

bool Operands::mentions_processes(const std::vector<Statement>& statements) const {
  return std::ranges::any_of(statements, [&](const Statement& s) {
    const bool own = s.place.kind == Place::Kind::kOwn && variables_.is_shared(s.place.name.text);
    return own || s.place.kind == Place::Kind::kOther ||
           std::ranges::any_of(s.branches, [&](const auto& branch) { return mentions_processes(branch); });
  });
}

Storage Operands::declare(const Declaration& declaration, std::string name) {
  const Value least = declaration.range ? declaration.range->low : 0;
  const RegisterId reg =
      program_.add_register(function_, std::move(name), kInt64, declaration.initial.value_or(least));
  if (!declaration.initial) arbitrary_.push_back({reg, &declaration});
  return {reg, &declaration};
}

const Storage& Operands::reg(const std::string& name, SourcePosition position) const {
  const auto found = registers_.find(name);
  if (found == registers_.end())
    fail(position, fmt::format("unknown register '${}'", name), "declare it with 'registers' in the process");
  return found->second;
}

// Places.

const Storage* Operands::own_register(const Place& place) const {
  switch (place.kind) {
    case Place::Kind::kPointer: check_pointer(place); return nullptr;
    case Place::Kind::kGlobal: check_global(place); return nullptr;
    case Place::Kind::kOther:
      check_local(place);
      check_owners(place);
      return nullptr;
    case Place::Kind::kOwn: break;
  }
  check_local(place);
  if (variables_.declaration(place.name.text, first_thread_) == nullptr)
    fail(place.name.position, fmt::format("this process has no variable '{}' of its own", place.name.text));
  const auto own = own_.find(place.name.text);
  return own == own_.end() ? nullptr : &own->second;
}

void Operands::check_global(const Place& place) const {
  const std::string& name = place.name.text;
  if (variables_.global(name)) return;
  if (variables_.is_local(name))
    fail(place.name.position, fmt::format("'{}' is a variable of each process; say of which", name),
         fmt::format("{0}[my] is the own one, {0}[0] that of the first other process", name));
  fail(place.name.position, fmt::format("unknown variable '{}'", name),
       has_register(name) ? fmt::format("the register is written ${}", name)
                          : "declare it with 'data', in the process or before the first one");
}

void Operands::check_local(const Place& place) const {
  const std::string& name = place.name.text;
  if (variables_.is_local(name)) return;
  if (variables_.global(name))
    fail(place.name.position, fmt::format("'{}' is a variable of all processes, not one of each", name),
         fmt::format("it is written {}, without brackets", name));
  fail(place.name.position, fmt::format("unknown variable '{}'", name),
       "declare it with 'data', in the process or before the first one");
}

std::size_t Operands::owner(const Place& place, std::size_t copy) const {
  return place.other < first_thread_ + copy ? place.other : place.other + 1;
}

void Operands::check_owners(const Place& place) const {
  const std::size_t others = variables_.thread_count() - 1;
  if (place.other >= others)
    fail(place.name.position, fmt::format("there is no other process number {}", place.other),
         others == 0 ? "there is only this process"
                     : fmt::format("the other processes have the numbers 0 to {}", others - 1));
  for (std::size_t copy = 0; copy < process_.copies; ++copy)
    if (variables_.declaration(place.name.text, owner(place, copy)) == nullptr)
      fail(place.name.position,
           fmt::format("P{}, which is other process number {} here, has no variable '{}'", owner(place, copy),
                       place.other, place.name.text));
}

void Operands::check_pointer(const Place& place) const {
  const auto count = static_cast<Value>(variables_.globals().size());
  const auto number = constant(place.address);
  if (!number || (*number >= 0 && *number < count)) return;
  fail(terms_[place.address].position, fmt::format("there is no variable number {}", *number),
       fmt::format("the {} variables of all processes are numbered from 0, as they are declared", count));
}

ExprId Operands::address(const Place& place) {
  if (place.kind == Place::Kind::kPointer) return evaluate(place.address);
  if (place.kind == Place::Kind::kGlobal) return program_.constant(*variables_.global(place.name.text));
  const Value base = variables_.base(place.name.text);
  const bool own = place.kind == Place::Kind::kOwn;
  if (!my_) {
    const std::size_t thread = own ? first_thread_ : owner(place, 0);
    return program_.constant(base + static_cast<Value>(thread));
  }
  const ExprId my = program_.register_value(my_);
  if (own) return program_.binary(ExprOp::kAdd, program_.constant(base), my);
  const auto other = static_cast<Value>(place.other);
  const ExprId behind = program_.binary(ExprOp::kGe, program_.constant(other), my);
  return program_.binary(ExprOp::kAdd, program_.constant(base + other), behind);
}

std::vector<std::pair<ExprId, const Declaration*>> Operands::variables_at(const Place& place) {
  const std::string& name = place.name.text;
  const std::vector<Declaration>& globals = variables_.globals();
  std::vector<std::pair<ExprId, const Declaration*>> result;
  switch (place.kind) {
    case Place::Kind::kGlobal:
      return {{ExprId::none(), &globals[static_cast<std::size_t>(*variables_.global(name))]}};
    case Place::Kind::kOwn: return {{ExprId::none(), variables_.declaration(name, first_thread_)}};
    case Place::Kind::kOther:
      for (std::size_t copy = 0; copy < process_.copies; ++copy)
        result.emplace_back(is_not_copy(copy), variables_.declaration(name, owner(place, copy)));
      break;
    case Place::Kind::kPointer:
      if (const auto number = constant(place.address))
        return {{ExprId::none(), &globals[static_cast<std::size_t>(*number)]}};
      for (std::size_t i = 0; i < globals.size(); ++i)
        result.emplace_back(
            program_.binary(ExprOp::kNe, evaluate(place.address), program_.constant(static_cast<Value>(i))),
            &globals[i]);
      break;
  }
  const bool alike = std::ranges::all_of(
      result, [&](const auto& known) { return known.second->range == result[0].second->range; });
  if (alike && !result.empty()) return {{ExprId::none(), result[0].second}};
  return result;
}

ExprId Operands::is_not_copy(std::size_t copy) {
  if (!my_) return ExprId::none();
  const auto thread = static_cast<Value>(first_thread_ + copy);
  return program_.binary(ExprOp::kNe, program_.register_value(my_), program_.constant(thread));
}

// Expressions. Depth is bounded by the parser.

ExprId Operands::evaluate(TermId id) {
  const Term& term = terms_[id];
  if (term.op == ExprOp::kConstant) return program_.constant(term.value);
  if (term.op == ExprOp::kRegister) return program_.register_value(reg(term.reg, term.position).reg);
  const ExprId a = evaluate(term.a);
  if (!term.b) return program_.unary(term.op, a);
  return program_.binary(term.op, a, evaluate(term.b));
}

bool Operands::is_constant(TermId id) const {
  if (!id) return true;
  const Term& term = terms_[id];
  return term.op != ExprOp::kRegister && is_constant(term.a) && is_constant(term.b);
}

std::optional<Value> Operands::constant(TermId id) const {
  const std::optional<Range> values = is_constant(id) ? interval(id) : std::nullopt;
  return values ? std::optional(values->low) : std::nullopt;
}

std::optional<Range> Operands::interval(TermId id) const {
  const Term& term = terms_[id];
  if (term.op == ExprOp::kConstant) return Range{term.value, term.value};
  if (term.op == ExprOp::kRegister) return reg(term.reg, term.position).declaration->range;
  const bool negates = term.op == ExprOp::kNegate;  // 0 - a
  const std::optional<Range> a = negates ? Range{0, 0} : interval(term.a);
  const std::optional<Range> b = interval(negates ? term.a : term.b);
  if (!a || !b) return std::nullopt;
  Range sum;
  const bool overflows = term.op == ExprOp::kAdd ? __builtin_add_overflow(a->low, b->low, &sum.low) ||
                                                       __builtin_add_overflow(a->high, b->high, &sum.high)
                                                 : __builtin_sub_overflow(a->low, b->high, &sum.low) ||
                                                       __builtin_sub_overflow(a->high, b->low, &sum.high);
  return overflows ? std::nullopt : std::optional(sum);
}

// Ranges.

std::optional<Range> Operands::values_of(const Place& place) {
  std::optional<Range> result;
  for (const auto& [unless, declaration] : variables_at(place)) {
    if (!declaration->range) return std::nullopt;
    if (!result) result = declaration->range;
    result->low = std::min(result->low, declaration->range->low);
    result->high = std::max(result->high, declaration->range->high);
  }
  return result;
}

ExprId Operands::in_range(ExprId value, const Range& range) {
  const ExprId low = program_.binary(ExprOp::kGe, value, program_.constant(range.low));
  const ExprId high = program_.binary(ExprOp::kLe, value, program_.constant(range.high));
  return program_.binary(ExprOp::kLogicalAnd, low, high);
}

ExprId Operands::fitting(const Place& place, TermId value) {
  require_fitting(place, value);
  const std::optional<Range> values = interval(value);
  ExprId all;
  for (const auto& [unless, declaration] : variables_at(place)) {
    if (!declaration->range || (values && declaration->range->contains(*values))) continue;
    ExprId one = in_range(evaluate(value), *declaration->range);
    if (unless) one = program_.binary(ExprOp::kLogicalOr, unless, one);
    all = all ? program_.binary(ExprOp::kLogicalAnd, all, one) : one;
  }
  return all;
}

void Operands::require_fitting(const Place& place, TermId value) {
  const auto variables = variables_at(place);
  if (variables.size() == 1) require_fitting({{}, variables[0].second}, text(place), value);
}

void Operands::require_fitting(const Storage& target, const std::string& name, TermId value) const {
  const auto number = constant(value);
  const std::optional<Range>& range = target.declaration->range;
  if (number && range && !range->contains(*number))
    fail(terms_[value].position,
         fmt::format("{} is outside of {}, the range of {}", *number, text(*range), name));
}

}  // namespace weir::rmm
