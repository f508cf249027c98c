// Automata over infinite words in the Hanoi format, version 1 [BabiakEtAl15], as Spot, Rabinizer and Owl
// write them. Left out: alternation (several states in one Start or edge), complemented acceptance sets.
#include <fmt/format.h>
#include <map>
#include <optional>

#include "frontend/fairness/scanner.hpp"
#include "frontend/fairness/systems.hpp"

namespace weir::fairness {

namespace {

constexpr std::uint64_t kMostAutomatonStates = std::uint64_t{1} << 28;
constexpr std::uint32_t kMostSets = 64;
constexpr std::uint32_t kMostPropositions = 1 << 16;
constexpr std::uint32_t kMostImplicit = 20;

std::uint32_t add(Formula& formula, Formula::Node node) {
  formula.nodes.push_back(node);
  return static_cast<std::uint32_t>(formula.nodes.size() - 1);
}

// The nodes of `part` behind those of `formula`; the number of its root there.
std::uint32_t append(Formula& formula, const Formula& part) {
  const auto offset = static_cast<std::uint32_t>(formula.nodes.size());
  for (Formula::Node node : part.nodes) {
    if (node.kind != Formula::Kind::kAtom) {
      node.left += offset;
      node.right += offset;
    }
    formula.nodes.push_back(node);
  }
  return static_cast<std::uint32_t>(formula.nodes.size() - 1);
}

class HoaReader {
 public:
  explicit HoaReader(Scanner& scanner) : scanner_(scanner) {}

  OmegaAutomaton read() {
    read_head();
    read_body();
    return std::move(automaton_);
  }

 private:
  using Kind = Formula::Kind;

  void space() {
    for (scanner_.skip_space(); scanner_.accept("/*"); scanner_.skip_space())
      while (!scanner_.accept("*/")) {
        if (scanner_.at_end()) scanner_.fail("the comment is not closed");
        scanner_.take(1);
      }
  }

  std::uint32_t number(std::string_view what, std::uint64_t bound) {
    space();
    const std::uint32_t value = scanner_.number(what, bound);
    space();
    return value;
  }

  void read_head() {
    space();
    if (!scanner_.accept("HOA:"))
      scanner_.fail("expected an automaton in the Hanoi format, which begins with HOA: v1");
    space();
    if (!scanner_.accept("v1")) scanner_.fail("only version v1 of the format is known");
    bool accepted = false;
    for (space(); !scanner_.accept("--BODY--"); space()) {
      if (scanner_.at_end()) scanner_.fail("expected --BODY--");
      accepted = read_head_item() || accepted;
    }
    if (!accepted) scanner_.fail("the automaton has no Acceptance:");
    if (automaton_.start >= automaton_.states)
      scanner_.fail("States: must be more than the number of the start");
  }

  // True: it was the acceptance.
  bool read_head_item() {
    const SourcePosition position = scanner_.here();
    if (scanner_.accept("States:")) {
      automaton_.states = number("states", kMostAutomatonStates);
    } else if (scanner_.accept("Start:")) {
      if (started_) fail(position, "an automaton with several starts is not supported");
      started_ = true;
      automaton_.start = number("a state", kMostAutomatonStates);
      if (scanner_.peek() == '&') scanner_.fail("alternating automata are not supported");
    } else if (scanner_.accept("AP:")) {
      for (std::uint32_t left = number("propositions", kMostPropositions); left > 0; --left, space())
        automaton_.propositions.push_back(scanner_.quoted());
    } else if (scanner_.accept("Alias:")) {
      space();
      const std::string name(scanner_.until(" \t[("));
      space();
      aliases_[name] = guard();
    } else if (scanner_.accept("Acceptance:")) {
      automaton_.acceptance_position = position;
      automaton_.sets = number("acceptance sets", kMostSets + 1);
      formula(automaton_.acceptance, &HoaReader::acceptance_atom);
      return true;
    } else {
      skip_item();
    }
    return false;
  }

  // name:, tool:, properties: and others say nothing that matters here. An item ends where the next one,
  // whose word ends in a colon, begins.
  void skip_item() {
    const std::string_view name = scanner_.until(" \t:");
    if (name.empty() || !scanner_.accept(":")) scanner_.fail("expected a header item, as in States: 3");
    while (true) {
      space();
      if (scanner_.at_end()) return;
      if (scanner_.peek() == '"') {
        scanner_.quoted();
        continue;
      }
      const std::size_t begin = scanner_.offset();
      const std::string_view word = scanner_.until(" \t");
      if (word.ends_with(':') || word.starts_with("--BODY--")) return scanner_.go_to(begin);
    }
  }

  using Atom = std::uint32_t (HoaReader::*)(Formula&);

  std::uint32_t formula(Formula& out, Atom atom) {
    std::uint32_t left = conjunction(out, atom);
    for (space(); scanner_.accept("|"); space()) {
      const std::uint32_t right = conjunction(out, atom);
      left = add(out, {Kind::kOr, left, right});
    }
    return left;
  }

  std::uint32_t conjunction(Formula& out, Atom atom) {
    std::uint32_t left = literal(out, atom);
    for (space(); scanner_.accept("&"); space()) {
      const std::uint32_t right = literal(out, atom);
      left = add(out, {Kind::kAnd, left, right});
    }
    return left;
  }

  std::uint32_t literal(Formula& out, Atom atom) {
    constexpr int kDeepest = 1000;
    if (++depth_ > kDeepest) scanner_.fail("this formula is nested too deeply");
    space();
    std::uint32_t result = 0;
    if (scanner_.accept("!")) {
      const std::uint32_t operand = literal(out, atom);
      result = add(out, {Kind::kNot, operand, 0});
    } else if (scanner_.accept("(")) {
      result = formula(out, atom);
      space();
      scanner_.expect(')', "after the formula");
    } else if (scanner_.accept("t")) {
      result = add(out, {Kind::kTrue});
    } else if (scanner_.accept("f")) {
      result = add(out, {Kind::kFalse});
    } else {
      result = (this->*atom)(out);
    }
    --depth_;
    return result;
  }

  std::uint32_t acceptance_atom(Formula& out) {
    const bool infinitely = scanner_.accept("Inf");
    if (!infinitely && !scanner_.accept("Fin")) scanner_.fail("expected Inf(SET) or Fin(SET)");
    space();
    scanner_.expect('(', "before the acceptance set");
    space();
    if (scanner_.peek() == '!') scanner_.fail("complements of acceptance sets are not supported");
    const std::uint32_t set = number("an acceptance set", automaton_.sets);
    scanner_.expect(')', "after the acceptance set");
    return add(out, {Kind::kAtom, 2 * set + (infinitely ? 0 : 1), 0});
  }

  std::uint32_t guard_atom(Formula& out) {
    if (scanner_.peek() != '@')
      return add(out, {Kind::kAtom, number("a proposition", automaton_.propositions.size()), 0});
    const SourcePosition position = scanner_.here();
    const std::string name(scanner_.until(" \t&|)]"));
    const auto alias = aliases_.find(name);
    if (alias == aliases_.end()) fail(position, fmt::format("there is no alias {}", name));
    return append(out, alias->second);
  }

  Formula guard() {
    Formula result;
    const std::uint32_t root = formula(result, &HoaReader::guard_atom);
    if (root + 1 != result.nodes.size()) scanner_.fail("this formula is not supported");
    return result;
  }

  std::optional<Formula> bracketed_guard() {
    space();
    if (!scanner_.accept("[")) return std::nullopt;
    Formula result = guard();
    space();
    scanner_.expect(']', "after the guard");
    return result;
  }

  std::uint64_t marks() {
    space();
    std::uint64_t result = 0;
    if (!scanner_.accept("{")) return 0;
    for (space(); !scanner_.accept("}"); space())
      result |= std::uint64_t{1} << number("an acceptance set", automaton_.sets);
    return result;
  }

  void read_body() {
    for (space(); !scanner_.accept("--END--"); space()) {
      if (scanner_.accept("--ABORT--")) scanner_.fail("the automaton was aborted by its writer");
      if (!scanner_.accept("State:")) scanner_.fail("expected State: or --END--");
      read_state();
    }
  }

  void read_state() {
    const std::optional<Formula> common = bracketed_guard();
    const std::uint32_t state = number("a state", automaton_.states);
    if (scanner_.peek() == '"') scanner_.quoted();
    const std::uint64_t state_marks = marks();
    std::uint32_t implicit = 0;
    for (space(); scanner_.peek() == '[' || (scanner_.peek() >= '0' && scanner_.peek() <= '9'); space()) {
      OmegaAutomaton::Transition transition;
      const std::optional<Formula> own = bracketed_guard();
      transition.from = state;
      transition.to = number("a state", automaton_.states);
      if (scanner_.peek() == '&') scanner_.fail("alternating automata are not supported");
      transition.marks = state_marks | marks();
      transition.guard = common ? *common : own ? *own : implicit_guard(implicit++);
      automaton_.transitions.push_back(std::move(transition));
    }
  }

  // Without guards, the edges of a state stand for the valuations in order, proposition 0 as the lowest bit.
  Formula implicit_guard(std::uint32_t valuation) {
    const std::size_t propositions = automaton_.propositions.size();
    if (propositions > kMostImplicit || valuation >> propositions != 0)
      scanner_.fail("there are more edges without a guard than valuations of the propositions");
    Formula result;
    std::uint32_t root = add(result, {Kind::kTrue});
    for (std::uint32_t p = 0; p < propositions; ++p) {
      std::uint32_t literal = add(result, {Kind::kAtom, p, 0});
      if ((valuation >> p & 1) == 0) literal = add(result, {Kind::kNot, literal, 0});
      root = add(result, {Kind::kAnd, root, literal});
    }
    return result;
  }

  Scanner& scanner_;
  OmegaAutomaton automaton_;
  std::map<std::string, Formula> aliases_;
  bool started_ = false;
  int depth_ = 0;
};

}  // namespace

Expected<OmegaAutomaton> read_hoa(std::string path, std::string text) {
  return read_text<OmegaAutomaton>(std::move(path), std::move(text),
                                   [](Scanner& scanner) { return HoaReader(scanner).read(); });
}

}  // namespace weir::fairness
