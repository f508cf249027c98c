// The engine `auto`: whoever is best for most programs begins, and if that takes long, others try too.
#pragma once

#include "base/context.hpp"
#include "verify/question.hpp"

namespace weir::verify {

Answer search_by_best_engine(const Program& program, const Question& question, Context& context);

// The engine that answers a question with checkpoints: the one that is asked for, or of those that keep them
// the one that `auto` begins with.
std::string_view interruptible_engine(const Question& question);

}  // namespace weir::verify
