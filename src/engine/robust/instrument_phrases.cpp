#include "engine/robust/instrument_phrases.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "program/analysis/plain.hpp"

namespace weir {

namespace {

// An open-memory program may touch -2^60 to 2^60 - 1.
constexpr Value kWindow = Value{1} << 60;

InputError no_room(const Program& program, SourcePosition position, std::string what) {
  return {program.sources, {{Severity::kError, std::move(what), position, ""}}};
}

bool in_window(Value address) { return -kWindow <= address && address < kWindow; }

// Windows of 2^61 addresses each lie beside the program's own.
Expected<Layout> open_layout(const Program& program) {
  for (const SharedObject& object : program.objects)
    if (!in_window(object.base) || !in_window(object.base + static_cast<Value>(object.initial.size() - 1)))
      return no_room(program, object.position,
                     fmt::format("'{}' lies where auxiliary cells have to be", object.name));
  for (const Edge& edge : program.edges) {
    if (!accesses_memory(edge.instruction.op)) continue;
    const Expression& address = program.expression(edge.instruction.a);
    if (address.op == ExprOp::kConstant && !in_window(address.constant))
      return no_room(program, edge.position, "the address lies where auxiliary cells have to be");
  }
  return Layout{.value_offset = 2 * kWindow,
                .delayed_offset = 4 * kWindow,
                .level_offset = -2 * kWindow,
                .first = -4 * kWindow};
}

// Three images of the stretch from the first object to the last, above it or below.
Expected<Layout> closed_layout(const Program& program) {
  using Wide = __int128;
  Wide begin = 0, end = 0;
  for (const SharedObject& object : program.objects) {
    const bool first = &object == &program.objects.front();
    const Wide after = Wide{object.base} + static_cast<Wide>(object.initial.size());
    begin = first ? Wide{object.base} : std::min(begin, Wide{object.base});
    end = first ? after : std::max(end, after);
  }
  const Wide stretch = end - begin,
             others = Wide{Layout::kFirstMode} + static_cast<Wide>(program.threads.size());
  const auto fits = [](Wide from, Wide to) {
    return from >= std::numeric_limits<Value>::min() && to <= std::numeric_limits<Value>::max();
  };
  const bool above = fits(begin, end + 3 * stretch + others);
  if (!above && !fits(begin - 3 * stretch - others, end))
    return no_room(program, {}, "the shared objects leave no room for auxiliary cells");
  const auto offset = static_cast<Value>(above ? stretch : -stretch);
  return Layout{.value_offset = offset,
                .delayed_offset = 2 * offset,
                .level_offset = 3 * offset,
                .first = static_cast<Value>(above ? end + 3 * stretch : begin - 3 * stretch - others)};
}

}  // namespace

std::optional<InputError> beyond_instrumentation(const Program& program) {
  const std::optional<BeyondPlain> found = beyond_plain(program);
  if (!found) return std::nullopt;
  return no_room(program, found->position,
                 fmt::format("a program with {} cannot be instrumented", found->what));
}

Expected<Layout> plan_layout(const Program& program) {
  return program.open_memory ? open_layout(program) : closed_layout(program);
}

bool accesses_memory(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }

ExprId Conditions::defined(ExprId id) {
  if (!id) return {};
  const auto [known, added] = defined_.try_emplace(id);
  if (!added) return known->second;
  const Expression e = result_.expression(id);
  const ExprId condition = defined_operation(e);
  return defined_[id] = condition;
}

ExprId Conditions::defined_operation(const Expression& e) {
  const ExprId a = defined(e.a), b = defined(e.b), c = defined(e.c);
  const ExprId yes = b || c ? say_.number(1) : ExprId();
  switch (e.op) {
    case ExprOp::kDiv:
    case ExprOp::kRem: {
      const Expression divisor = result_.expression(e.b);
      const ExprId zero = result_.constant(0, divisor.type);
      const bool fine = divisor.op == ExprOp::kConstant && divisor.constant != 0;
      return all_of(all_of(a, b), fine ? ExprId() : result_.binary(ExprOp::kNe, e.b, zero));
    }
    case ExprOp::kLogicalAnd: return all_of(a, b ? say_.select(e.a, b, yes) : b);
    case ExprOp::kLogicalOr: return all_of(a, b ? say_.select(e.a, yes, b) : b);
    case ExprOp::kSelect: return all_of(a, yes ? say_.select(e.a, b ? b : yes, c ? c : yes) : yes);
    default: return all_of(a, b);
  }
}

ExprId Conditions::operands_defined(const Instruction& instruction) {
  ExprId condition = all_of(all_of(defined(instruction.a), defined(instruction.b)), defined(instruction.c));
  for (const ExprId argument : instruction.arguments) condition = all_of(condition, defined(argument));
  return condition;
}

bool Conditions::valid_constant(Value address, std::uint8_t bits) const {
  const auto object = original_.object_at(address);
  if (!object) return original_.open_memory && bits == kInt64.bits;
  return original_.object(*object).type.bits == bits;
}

ExprId Conditions::valid_address(ExprId address, std::uint8_t bits) {
  const Expression given = result_.expression(address);
  if (given.op == ExprOp::kConstant) return valid_constant(given.constant, bits) ? ExprId() : say_.number(0);
  if (!original_.open_memory || bits != kInt64.bits) return within(address, ranges(bits, true));
  const ExprId in_reach = within(address, {{-kWindow, kWindow - 1}});
  const std::vector<Range> narrower = ranges(bits, false);
  if (narrower.empty()) return in_reach;
  return say_.both(in_reach, result_.unary(ExprOp::kLogicalNot, within(address, narrower)));
}

// Where the objects are whose cells have that width, or have not. Neighbours are joined.
std::vector<Conditions::Range> Conditions::ranges(std::uint8_t bits, bool of_that_width) const {
  std::vector<Range> all;
  for (const SharedObject& object : original_.objects)
    if ((object.type.bits == bits) == of_that_width)
      all.emplace_back(object.base, object.base + static_cast<Value>(object.initial.size() - 1));
  std::ranges::sort(all);
  std::vector<Range> joined;
  for (const Range& range : all) {
    if (!joined.empty() && joined.back().second == range.first - 1) {
      joined.back().second = range.second;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

ExprId Conditions::within(ExprId address, const std::vector<Range>& ranges) {
  ExprId condition;
  for (const auto& [first, last] : ranges) {
    const ExprId in_range =
        say_.both(say_.op(ExprOp::kGe, address, first), say_.op(ExprOp::kLe, address, last));
    condition = condition ? say_.either(condition, in_range) : in_range;
  }
  return condition ? condition : say_.number(0);
}

}  // namespace weir
