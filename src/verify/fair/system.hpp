// Does a finite system have a play, or with chance a strategy, that satisfies a Streett objective?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/context.hpp"
#include "engine/fairness/questions.hpp"
#include "engine/fairness/streett.hpp"
#include "engine/fairness_verdict.hpp"
#include "frontend/fairness/systems.hpp"

namespace weir::verify {

// Where the system comes from, and which of its states belong to chance.
struct SystemSource {
  std::string file;             // .aut or .tra
  std::string labels;           // of a .tra file; if empty, the file beside it with .lab, if there is one
  std::string random_vertices;  // a file with a vertex on each line; may be empty
  std::optional<double> random_share = {};  // of the states, drawn with `seed`
  std::uint64_t seed = 0;
};

bool is_system_path(std::string_view path);
Expected<TransitionSystem> load_system(const SystemSource& source);

// What is to hold: an automaton's acceptance condition, or pairs.
struct ObjectiveSource {
  std::string automaton;           // a file in the format HOA; if there is none, pairs count
  bool negate = false;             // the automaton is to reject
  std::vector<std::string> pairs;  // "REQUEST=>GRANT", by labels and actions
  std::string pair_file;           // pairs by vertices; may be empty
};

struct Objective {
  fairness::Question question;
  std::vector<Diagnostic> warnings;
  SourceMap sources;  // of the warnings
};

// What is wrong with a file, or else with the question itself: that begins with the name of the member.
using ObjectiveMistake = std::variant<InputError, Diagnostic>;

// The system has states.
Expected<Objective, ObjectiveMistake> load_objective(const TransitionSystem& system,
                                                     const ObjectiveSource& source);

// What shows the answer was checked on the explicit arena.
FairnessVerdict solve_objective(const fairness::Question& question, const fairness::StreettOptions& options,
                                Context& context);

}  // namespace weir::verify
