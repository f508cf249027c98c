// Weir as a library: all of it, for users. docs/library.md tells what it does.
#pragma once

#include "weir/answer.hpp"
#include "weir/program.hpp"
#include "weir/questions.hpp"
#include "weir/result.hpp"
#include "weir/run.hpp"

// Weir's own sources use `weir` for what is inside; a later version of this interface will be `weir::v2`.
namespace weir {
using namespace v1;  // NOLINT: what this header is for
}
