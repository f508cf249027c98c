#include "engine/fairness/questions.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"

namespace weir::fairness {

namespace {

std::string_view stripped(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The actions that somebody named, made into vertices behind the states.
class ActionVertices {
 public:
  explicit ActionVertices(const TransitionSystem& system)
      : system_(system), named_(system.actions.size(), false) {}

  // False if no action has this name.
  bool add(const std::string& name) {
    bool found = false;
    for (std::size_t a = 0; a < system_.actions.size(); ++a)
      if (names_action(name, system_.actions[a])) named_[a] = found = true;
    return found;
  }

  Arena build() {
    std::vector<Arena::Edge> edges;
    edges.reserve(system_.transitions.size());
    for (const TransitionSystem::Transition& t : system_.transitions) {
      if (!named_[t.action]) {
        edges.emplace_back(t.from, t.to);
        continue;
      }
      const Vertex next = static_cast<Vertex>(system_.states + vertices_.size());
      const auto [place, added] = vertices_.try_emplace({t.action, t.to}, next);
      edges.emplace_back(t.from, place->second);
      if (added) edges.emplace_back(place->second, t.to);
    }
    Arena arena(system_.states + vertices_.size(), std::move(edges));
    for (Vertex v = 0; v < system_.states; ++v)
      if (system_.random[v]) arena.set_random(v);
    arena.initial = system_.initial;
    arena.given = system_.given;
    return arena;
  }

  std::vector<Vertex> vertices(const std::string& name) const {
    std::vector<Vertex> result;
    for (const auto& [key, vertex] : vertices_)
      if (names_action(name, system_.actions[key.first])) result.push_back(vertex);
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  const TransitionSystem& system_;
  std::vector<bool> named_;
  std::map<std::pair<std::uint32_t, Vertex>, Vertex> vertices_;
};

const TransitionSystem::Label* find_label(const TransitionSystem& system, const std::string& name) {
  for (const TransitionSystem::Label& label : system.labels)
    if (label.name == name) return &label;
  return nullptr;
}

}  // namespace

bool names_action(std::string_view name, std::string_view action) {
  return action == name || action.substr(0, action.find_first_of(" (!?")) == name;
}

std::optional<NamedPair> parse_named_pair(std::string_view text) {
  const std::size_t arrow = text.find("=>");
  if (arrow == std::string_view::npos) return std::nullopt;
  NamedPair pair{std::string(stripped(text.substr(0, arrow))), std::string(stripped(text.substr(arrow + 2)))};
  if (pair.request.empty() || pair.grant.empty()) return std::nullopt;
  return pair;
}

Arena arena_of(const TransitionSystem& system) { return ActionVertices(system).build(); }

std::optional<Question> named_question(const TransitionSystem& system, const std::vector<NamedPair>& pairs,
                                       std::string& missing) {
  ActionVertices actions(system);
  const auto known = [&](const std::string& name) {
    if (name == "*" || find_label(system, name) != nullptr || actions.add(name)) return true;
    missing = name;
    return false;
  };
  for (const NamedPair& pair : pairs)
    if (!known(pair.request) || !known(pair.grant)) return std::nullopt;
  Question question{actions.build(), {}};
  const auto vertices = [&](const std::string& name) {
    if (const TransitionSystem::Label* label = find_label(system, name)) return label->states;
    if (name != "*") return actions.vertices(name);
    std::vector<Vertex> all(question.arena.vertices());
    std::iota(all.begin(), all.end(), Vertex{0});
    return all;
  };
  for (const NamedPair& pair : pairs)
    question.pairs.push_back(
        {vertices(pair.request), vertices(pair.grant), pair.request + "=>" + pair.grant});
  return question;
}

}  // namespace weir::fairness
