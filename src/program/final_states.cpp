#include "program/final_states.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/error.hpp"

namespace weir {

namespace {

using Op = FinalCondition::Op;

// Conditions are told apart by how strongly they bind: what is weaker than its surroundings gets parentheses.
int strength(Op op) {
  switch (op) {
    case Op::kImplies: return 0;
    case Op::kOr: return 1;
    case Op::kAnd: return 2;
    default: return 3;
  }
}

std::string part_text(const Program& program, const FinalQuestion& question, const FinalCondition& part,
                      int around) {
  const std::string text = condition_text(program, question, part);
  return strength(part.op) < around ? fmt::format("({})", text) : text;
}

std::string joined_parts(const Program& program, const FinalQuestion& question,
                         const FinalCondition& condition, const char* between) {
  std::string out;
  for (const FinalCondition& part : condition.parts)
    out += (out.empty() ? "" : between) + part_text(program, question, part, strength(condition.op));
  return out;
}

void renumber(FinalCondition& condition, const std::vector<std::size_t>& number) {
  if (condition.op == Op::kIs || condition.op == Op::kSame) condition.place = number[condition.place];
  if (condition.op == Op::kSame) condition.other = number[condition.other];
  for (FinalCondition& part : condition.parts) renumber(part, number);
}

bool before(const ObservedPlace& a, const ObservedPlace& b) {
  if (a.is_register() != b.is_register()) return a.is_register();
  if (a.is_register() && a.thread != b.thread) return a.thread.index() < b.thread.index();
  return a.name < b.name;
}

}  // namespace

Value value_of(const ObservedPlace& place, const FinalState& state) {
  if (place.is_register())
    return wrap(static_cast<std::uint64_t>(state.registers[place.thread.index()][place.reg.index()]),
                place.type);
  const auto cell =
      std::ranges::lower_bound(state.memory, place.address, {}, &std::pair<Value, Value>::first);
  const bool found = cell != state.memory.end() && cell->first == place.address;
  if (found && cell->second == kUninitialised) return kUninitialised;
  return wrap(found ? static_cast<std::uint64_t>(cell->second) : 0, place.type);
}

bool FinalCondition::holds(std::span<const Value> values) const {
  const auto part_holds = [&](const FinalCondition& part) { return part.holds(values); };
  switch (op) {
    case Op::kTrue: return true;
    case Op::kFalse: return false;
    case Op::kIs: return values[place] == value;
    case Op::kSame: return values[place] == values[other];
    case Op::kNot: return !parts[0].holds(values);
    case Op::kAnd: return std::ranges::all_of(parts, part_holds);
    case Op::kOr: return std::ranges::any_of(parts, part_holds);
    case Op::kImplies: return !parts[0].holds(values) || parts[1].holds(values);
  }
  throw InternalError("a condition without a meaning");
}

const char* name(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::kExists: return "exists";
    case Quantifier::kNotExists: return "~exists";
    case Quantifier::kForAll: return "forall";
  }
  return "?";
}

std::vector<Value> FinalQuestion::values(const FinalState& state) const {
  std::vector<Value> result;
  for (const ObservedPlace& place : places) result.push_back(value_of(place, state));
  return result;
}

std::size_t FinalQuestion::number_of(const ObservedPlace& place) {
  const auto found = std::ranges::find(places, place);
  if (found != places.end()) return static_cast<std::size_t>(found - places.begin());
  places.push_back(place);
  return places.size() - 1;
}

void FinalQuestion::sort_places() {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return before(places[a], places[b]); });
  std::vector<ObservedPlace> sorted;
  std::vector<std::size_t> number(places.size());
  for (const std::size_t old : order) {
    number[old] = sorted.size();
    sorted.push_back(places[old]);
  }
  places = std::move(sorted);
  renumber(condition, number);
  renumber(filter, number);
}

std::optional<std::string> variable_at(const Program& program, Value value) {
  if (value == 0) return std::nullopt;  // an address that also means nothing
  for (const SharedObject& object : program.objects)
    if (object.base == value) return object.name;
  return std::nullopt;
}

std::string final_value_text(const Program& program, const ObservedPlace& place, Value value) {
  if (value == kUninitialised) return "?";
  if (const auto variable = place.addresses ? variable_at(program, value) : std::nullopt) return *variable;
  return place.type.is_signed ? std::to_string(value) : std::to_string(static_cast<std::uint64_t>(value));
}

std::string herd_name(const ObservedPlace& place) {
  if (place.is_register() || place.name.find('[') != std::string::npos) return place.name;
  return fmt::format("[{}]", place.name);
}

std::string condition_text(const Program& program, const FinalQuestion& question,
                           const FinalCondition& condition) {
  const auto place = [&](std::size_t number) { return herd_name(question.places[number]); };
  switch (condition.op) {
    case Op::kTrue: return "true";
    case Op::kFalse: return "false";
    case Op::kIs:
      return fmt::format("{}={}", place(condition.place),
                         final_value_text(program, question.places[condition.place], condition.value));
    case Op::kSame: return fmt::format("{}={}", place(condition.place), place(condition.other));
    case Op::kNot: return fmt::format("not ({})", condition_text(program, question, condition.parts[0]));
    case Op::kAnd: return joined_parts(program, question, condition, " /\\ ");
    case Op::kOr: return joined_parts(program, question, condition, " \\/ ");
    case Op::kImplies:
      return fmt::format("{} => {}", part_text(program, question, condition.parts[0], 1),
                         condition_text(program, question, condition.parts[1]));
  }
  return "?";
}

std::string question_text(const Program& program, const FinalQuestion& question) {
  return fmt::format("{} ({})", name(question.quantifier),
                     condition_text(program, question, question.condition));
}

}  // namespace weir
