// An explicit graph or Markov decision process with Streett pairs: what the fairness front ends produce, the
// fairness engine solves and the checker walks on.
//
// A play is an infinite path. At a random vertex chance picks the successor, each with some positive
// probability (which one does not matter for questions of probability one); everywhere else the player does.
// A graph has no random vertices. A vertex without edges ends every play that comes there, so it is lost.
//
// A Streett pair (requests, grants) is satisfied by a play that visits requests finitely often or grants
// infinitely often; an objective is a list of pairs, all of which have to be satisfied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

using Vertex = std::uint32_t;

struct StreettPair {
  std::vector<Vertex> requests, grants;  // ascending
  std::string name;                      // "req=>grant"; may be empty
};

class Arena {
 public:
  using Edge = std::pair<Vertex, Vertex>;

  Arena() = default;
  // The edges in any order; repeated ones count once.
  Arena(std::size_t vertices, std::vector<Edge> edges);

  std::size_t vertices() const { return first_.size() - 1; }
  std::size_t edges() const { return targets_.size(); }
  // Ascending.
  std::span<const Vertex> successors(Vertex vertex) const {
    return {targets_.data() + first_[vertex], targets_.data() + first_[vertex + 1]};
  }
  bool has_edge(Vertex from, Vertex to) const;

  bool random(Vertex vertex) const { return random_[vertex]; }
  void set_random(Vertex vertex) { random_[vertex] = true; }
  bool has_random() const;

  Vertex initial = 0;
  // Vertices from here on were added by a front end (a choice, an action); the user knows none of them.
  std::size_t given = 0;

 private:
  std::vector<std::size_t> first_{0};
  std::vector<Vertex> targets_;
  std::vector<bool> random_;
};

}  // namespace weir
