// The one table of engines. Who chooses one, compares them or says what is possible asks it.
#pragma once

#include <span>
#include <string_view>

#include "base/context.hpp"
#include "verify/question.hpp"

namespace weir::verify {

struct Engine {
  std::string_view name;
  std::span<const Model> models;  // that it answers under
  bool any_number = false;        // answers for any number of threads, too
  bool checkpoints = false;       // can be interrupted and go on
  bool obeys_ranges = true;       // those of ValueLimits
  // What keeps it from answering for all that the program asks, as in "smc does not look for goals", as far as that is
  // plain from the program; empty if nothing does. `auto` asks nobody who has an obstacle.
  std::string (*obstacle)(const Program& program);
  Answer (*run)(const Program& program, const Question& question, Context& context);

  bool answers_under(Model model) const;
};

// Those for programs; array systems have one of their own (array.hpp).
std::span<const Engine> engines();
// Null if there is none of this name.
const Engine* find_engine(std::string_view name);

}  // namespace weir::verify
