// From formulas of a system to constraints about the processes of a region.
//
// A formula, with its variables replaced by processes, becomes a disjunction of conjunctions of constraints;
// the disjuncts are enumerated one after the other. Alternatives for one cell (`PC[p] = A || PC[p] = B`) stay
// one constraint. Universal quantifiers range over the processes given, which for processes that the region
// does not name is an approximation: they may be as if crashed. Weak cells are read through a `ReadSink`,
// which gives the node that stands for the value the performing process reads.
//
// A literal with numbers that do not fit (linear_sum.hpp) becomes `true`, and the result is marked
// approximate.
#pragma once

#include <absl/container/inlined_vector.h>
#include <functional>
#include <vector>

#include "engine/array/vocabulary.hpp"

namespace weir::array {

// The processes that the variables of a formula stand for, by their numbers.
using Environment = absl::InlinedVector<std::uint8_t, 8>;

// All ways to give different processes to so many variables.
std::vector<Environment> distinct_choices(std::size_t variables, std::uint32_t processes);

// A term with processes filled in.
struct GroundTerm {
  enum class Kind : std::uint8_t { kValue, kNode, kNumber, kSum, kHard } kind = Kind::kHard;
  std::uint64_t bit = 0;         // kValue: the value, as a mask
  Node node;                     // kNode: node + number; kSum: (node + number) / denominator
  std::int64_t number = 0;       // kNode, kNumber, kSum
  std::int64_t denominator = 1;  // kSum
};

struct Conjunction {
  std::vector<Constraint> constraints;
  bool fence = false;        // the performing process's buffer must be empty
  bool approximate = false;  // something was left out
};

// A formula as a conjunction: what always holds, and choices of which one alternative must.
struct Clauses {
  bool impossible = false;
  Conjunction always;
  std::vector<std::vector<Conjunction>> choices;
};

class Grounding {
 public:
  // Reads `cell` for process `viewer`.
  using ReadSink = std::function<Node(Node cell, std::uint8_t viewer)>;
  using Found = std::function<void(const Conjunction&)>;

  Grounding(const Vocabulary& vocabulary, std::uint32_t processes, std::uint8_t performer, ReadSink read)
      : vocabulary_(vocabulary), processes_(processes), performer_(performer), read_(std::move(read)) {}

  // Calls `found` for every conjunction of which the formula (or its negation) is the disjunction, each
  // joined to `context`.
  void expand(const Formula& formula, bool positive, const Environment& environment,
              const Conjunction& context, const Found& found) const;

  Clauses clauses(const Formula& formula, const Environment& environment) const;

  GroundTerm term(const Term& term, const Environment& environment) const;
  std::uint8_t process(const Process& process, const Environment& environment) const {
    return process.constant ? static_cast<std::uint8_t>(process.index) : environment[process.index];
  }
  // The cell itself, weak or not, without reading it.
  Node cell(const Access& access, const Environment& environment) const;

  // The literal left `comparison` right for two terms of one sort; kOpen: it is in `result`.
  Truth compare(const GroundTerm& left, Comparison comparison, const GroundTerm& right,
                Constraint& result) const;
  // Adds the constraints to `result`, with a term in the place of every cell and read. False: a
  // contradiction.
  using Replace = std::function<GroundTerm(Node)>;
  bool replaced_all(const std::vector<Constraint>& constraints, const Replace& replace,
                    Conjunction& result) const;

 private:
  struct Goal {
    const Formula* formula;
    bool positive;
    Environment environment;
  };
  Truth literal(const Formula& formula, bool positive, const Environment& environment,
                Constraint& result) const;
  bool collect(std::vector<Goal> goals, Conjunction& conjunction,
               std::vector<std::vector<Goal>>& choices) const;
  void solve(std::vector<Goal> goals, Conjunction& conjunction, const Found& found) const;
  void choose(const std::vector<std::vector<Goal>>& choices, std::size_t next, Conjunction& conjunction,
              const Found& found) const;
  void alternatives(const std::vector<Goal>& choices, Conjunction& conjunction, const Found& found) const;
  std::vector<Goal> instances(const Formula& formula, bool positive, const Environment& environment) const;
  Node value(const Access& access, const Environment& environment) const;
  GroundTerm sum(const Term& term, const Environment& environment) const;
  Truth replaced(const Constraint& constraint, const Replace& replace, Constraint& result) const;
  Truth replaced_sum(const Constraint& constraint, const Replace& replace, Constraint& result) const;

  const Vocabulary& vocabulary_;
  std::uint32_t processes_;
  std::uint8_t performer_;
  ReadSink read_;
};

}  // namespace weir::array
