// Is there an execution in which each thread does what a file says, and each read reads what it is said to?
#pragma once

#include <string>

#include "base/context.hpp"
#include "engine/consistency/verdict.hpp"
#include "frontend/execution/named_instance.hpp"

namespace weir::verify {

// Fails, too, if the model needs one source per read and a read has several.
Expected<NamedInstance> load_instance(const std::string& path, Model model);
Expected<NamedInstance> load_instance_text(const std::string& path, std::string text, Model model);

// An execution that is found was executed step by step on plain store buffers.
consistency::ConsistencyVerdict check_consistency(const NamedInstance& named,
                                                  const consistency::VerifyOptions& question,
                                                  Context& context);

}  // namespace weir::verify
