// The product of a system with an automaton, and acceptance conditions as Streett pairs.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "engine/fairness/questions.hpp"

namespace weir::fairness {

namespace {

using Kind = Formula::Kind;

struct Literals {
  std::uint64_t infinitely = 0, finitely = 0;

  bool covers(const Literals& other) const {
    return (other.infinitely & ~infinitely) == 0 && (other.finitely & ~finitely) == 0;
  }
};
using Clauses = std::vector<Literals>;  // a conjunction of disjunctions

// Without clauses that follow from others.
Clauses reduced(Clauses clauses) {
  Clauses kept;
  for (const Literals& clause : clauses) {
    const auto implied = [&](const Literals& other) { return clause.covers(other); };
    if (std::any_of(kept.begin(), kept.end(), implied)) continue;
    std::erase_if(kept, [&](const Literals& other) { return other.covers(clause); });
    kept.push_back(clause);
  }
  return kept;
}

Clauses conjoined(Clauses left, const Clauses& right) {
  left.insert(left.end(), right.begin(), right.end());
  return reduced(std::move(left));
}

Clauses disjoined(const Clauses& left, const Clauses& right) {
  Clauses result;
  for (const Literals& a : left)
    for (const Literals& b : right) result.push_back({a.infinitely | b.infinitely, a.finitely | b.finitely});
  return reduced(std::move(result));
}

Clauses clauses_of(const Formula& formula, std::size_t index, bool negate) {
  const Formula::Node& node = formula.nodes[index];
  switch (node.kind) {
    case Kind::kTrue:
    case Kind::kFalse: return (node.kind == Kind::kTrue) != negate ? Clauses{} : Clauses{Literals{}};
    case Kind::kAtom: {
      const std::uint64_t set = std::uint64_t{1} << (node.left / 2);
      const bool finitely = (node.left % 2 == 1) != negate;
      return {finitely ? Literals{0, set} : Literals{set, 0}};
    }
    case Kind::kNot: return clauses_of(formula, node.left, !negate);
    case Kind::kAnd:
    case Kind::kOr: {
      const Clauses left = clauses_of(formula, node.left, negate);
      const Clauses right = clauses_of(formula, node.right, negate);
      return (node.kind == Kind::kAnd) != negate ? conjoined(left, right) : disjoined(left, right);
    }
  }
  throw InternalError("a formula without a kind");
}

bool holds(const Formula& formula, std::size_t index, const std::vector<bool>& atoms) {
  const Formula::Node& node = formula.nodes[index];
  switch (node.kind) {
    case Kind::kTrue: return true;
    case Kind::kFalse: return false;
    case Kind::kAtom: return atoms[node.left];
    case Kind::kNot: return !holds(formula, node.left, atoms);
    case Kind::kAnd: return holds(formula, node.left, atoms) && holds(formula, node.right, atoms);
    case Kind::kOr: return holds(formula, node.left, atoms) || holds(formula, node.right, atoms);
  }
  throw InternalError("a formula without a kind");
}

// What the automaton reads when the system takes a transition: letters, numbered as they occur.
class Letters {
 public:
  Letters(const TransitionSystem& system, const OmegaAutomaton& automaton)
      : automaton_(automaton), state_labels_(system.states), action_labels_(system.actions.size()) {
    for (std::size_t p = 0; p < automaton.propositions.size(); ++p) {
      const std::string& name = automaton.propositions[p];
      for (const TransitionSystem::Label& label : system.labels)
        if (label.name == name)
          for (const Vertex v : label.states) state_labels_[v].push_back(p);
      for (std::size_t a = 0; a < system.actions.size(); ++a)
        if (names_action(name, system.actions[a])) action_labels_[a].push_back(p);
    }
    moves_.resize(automaton.states);
    for (std::size_t t = 0; t < automaton.transitions.size(); ++t)
      moves_[automaton.transitions[t].from].push_back(t);
  }

  std::size_t of(const TransitionSystem::Transition& transition) {
    std::vector<bool> valuation(automaton_.propositions.size(), false);
    for (const std::size_t p : state_labels_[transition.from]) valuation[p] = true;
    for (const std::size_t p : action_labels_[transition.action]) valuation[p] = true;
    return numbers_.try_emplace(valuation, numbers_.size()).first->second;
  }

  std::size_t count() const { return numbers_.size(); }

  // The transitions of the automaton that a state can take on a letter.
  const std::vector<std::size_t>& moves(std::uint32_t state, std::size_t letter) {
    auto [place, added] = taken_.try_emplace({state, letter});
    if (!added) return place->second;
    const auto valuation = std::find_if(numbers_.begin(), numbers_.end(),
                                        [&](const auto& entry) { return entry.second == letter; });
    for (const std::size_t t : moves_[state]) {
      const Formula& guard = automaton_.transitions[t].guard;
      if (holds(guard, guard.nodes.size() - 1, valuation->first)) place->second.push_back(t);
    }
    return place->second;
  }

 private:
  const OmegaAutomaton& automaton_;
  std::vector<std::vector<std::size_t>> state_labels_, action_labels_;  // the propositions that hold
  std::vector<std::vector<std::size_t>> moves_;                         // by state of the automaton
  std::map<std::vector<bool>, std::size_t> numbers_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<std::size_t>> taken_;
};

class Product {
 public:
  Product(const TransitionSystem& system, const OmegaAutomaton& automaton)
      : system_(system), automaton_(automaton), letters_(system, automaton), leaving_(system.states) {
    for (std::size_t t = 0; t < system.transitions.size(); ++t)
      leaving_[system.transitions[t].from].push_back({t, letters_.of(system.transitions[t])});
  }

  Question build(const std::vector<AcceptanceClause>& clauses) {
    vertex(system_.initial, automaton_.start, 0);
    for (Vertex v = 0; v < vertices_.size(); ++v) expand(v);
    Question question{Arena(vertices_.size(), std::move(edges_)), {}};
    for (Vertex v = 0; v < vertices_.size(); ++v)
      if (system_.random[vertices_[v].state]) question.arena.set_random(v);
    for (const AcceptanceClause& clause : clauses) question.pairs.push_back(pair(clause));
    return question;
  }

 private:
  struct Place {
    Vertex state;
    std::uint32_t control;
    std::uint64_t marks;  // of the transition that led here

    auto operator<=>(const Place&) const = default;
  };

  Vertex vertex(Vertex state, std::uint32_t control, std::uint64_t marks) {
    const Place place{state, control, marks};
    const auto [found, added] = numbers_.try_emplace(place, static_cast<Vertex>(vertices_.size()));
    if (added) vertices_.push_back(place);
    return found->second;
  }

  void expand(Vertex v) {
    const Place place = vertices_[v];
    // What chance decides about a choice is no step of the system.
    if (place.state >= system_.given) {
      for (const auto& [t, letter] : leaving_[place.state])
        edges_.emplace_back(v, vertex(system_.transitions[t].to, place.control, 0));
      return;
    }
    for (const auto& [t, letter] : leaving_[place.state])
      for (const std::size_t move : letters_.moves(place.control, letter)) {
        const OmegaAutomaton::Transition& taken = automaton_.transitions[move];
        edges_.emplace_back(v, vertex(system_.transitions[t].to, taken.to, taken.marks));
      }
  }

  StreettPair pair(const AcceptanceClause& clause) const {
    StreettPair result;
    for (Vertex v = 0; v < vertices_.size(); ++v) {
      const std::uint64_t marks = vertices_[v].marks;
      if (!clause.finitely || (marks >> *clause.finitely & 1) != 0) result.requests.push_back(v);
      if ((marks & clause.infinitely) != 0) result.grants.push_back(v);
    }
    return result;
  }

  const TransitionSystem& system_;
  const OmegaAutomaton& automaton_;
  Letters letters_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> leaving_;  // transition and letter, by state
  std::vector<Place> vertices_;
  std::map<Place, Vertex> numbers_;
  std::vector<Arena::Edge> edges_;
};

}  // namespace

std::optional<std::vector<AcceptanceClause>> streett_clauses(const OmegaAutomaton& automaton, bool negate) {
  std::vector<AcceptanceClause> result;
  for (const Literals& clause :
       clauses_of(automaton.acceptance, automaton.acceptance.nodes.size() - 1, negate)) {
    if ((clause.finitely & clause.infinitely) != 0) continue;  // always true
    if (std::popcount(clause.finitely) > 1) return std::nullopt;
    AcceptanceClause& added = result.emplace_back();
    if (clause.finitely != 0) added.finitely = static_cast<std::uint32_t>(std::countr_zero(clause.finitely));
    added.infinitely = clause.infinitely;
  }
  return result;
}

std::vector<std::string> strange_propositions(const TransitionSystem& system,
                                              const OmegaAutomaton& automaton) {
  std::vector<std::string> strange;
  for (const std::string& name : automaton.propositions) {
    const bool is_label =
        std::ranges::find(system.labels, name, &TransitionSystem::Label::name) != system.labels.end();
    const auto names = [&](const std::string& action) { return names_action(name, action); };
    if (!is_label && std::ranges::none_of(system.actions, names)) strange.push_back(name);
  }
  return strange;
}

std::optional<std::uint32_t> nondeterministic_state(const TransitionSystem& system,
                                                    const OmegaAutomaton& automaton) {
  Letters letters(system, automaton);
  for (const TransitionSystem::Transition& transition : system.transitions)
    if (transition.from < system.given) letters.of(transition);
  for (std::uint32_t state = 0; state < automaton.states; ++state)
    for (std::size_t letter = 0; letter < letters.count(); ++letter)
      if (letters.moves(state, letter).size() != 1) return state;
  return std::nullopt;
}

Question product(const TransitionSystem& system, const OmegaAutomaton& automaton,
                 const std::vector<AcceptanceClause>& clauses) {
  return Product(system, automaton).build(clauses);
}

}  // namespace weir::fairness
