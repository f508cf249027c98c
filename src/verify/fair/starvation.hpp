// Does a program grant what its threads request?
#pragma once

#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/fairness/starvation.hpp"

namespace weir::verify {

// One response for each thread that requests: "P0:want", or "want" in every thread that has this label, is
// granted at the thread's own grant places or, if it has none, at any. What is wrong begins with "request" or
// "grant". Neither list is empty.
Expected<std::vector<fairness::Response>, Diagnostic> find_responses(const Program& program,
                                                                     const std::vector<std::string>& requests,
                                                                     const std::vector<std::string>& grants);

// An unsafe answer, unless chance decides, has a witness that the reference machine executes.
Answer check_starvation(const Program& program, const std::vector<fairness::Response>& responses,
                        const fairness::StarvationOptions& options, Context& context);

}  // namespace weir::verify
