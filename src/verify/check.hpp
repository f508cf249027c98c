// Is a violation reachable? A program and a question in, a confirmed answer out.
#pragma once

#include "base/context.hpp"
#include "verify/question.hpp"

namespace weir::verify {

// An unsafe answer has a witness that the reference machine executes, minimised; a safe one is about the
// whole program as its author wrote it. For any number of threads, a violation is one of an instance, which
// takes the place of the program.
Answer check(Program& program, const Question& question, Context& context, const Observer& observer = {});

}  // namespace weir::verify
