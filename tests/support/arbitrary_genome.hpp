// Random small programs for RapidCheck properties, which shrink by themselves.
#pragma once

#include <rapidcheck/Gen.h>

#include "selfcheck/random/program_generator.hpp"

namespace weir::test {

// Shrinks by `simplifications`.
rc::Gen<selfcheck::Genome> arbitrary_genome(const selfcheck::GeneratorShape& shape = {});

}  // namespace weir::test
