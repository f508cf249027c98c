// `check` for systems of any number of processes.
#pragma once

#include "weir/inside/call.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

CheckAnswer check_system(const Program& program, const CheckOptions& options, Call& call);

}  // namespace weir::v1
