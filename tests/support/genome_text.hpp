// Names for what genomes are made of.
#pragma once

#include "support/genome.hpp"

namespace weir::test {

std::string variable_name(const Genome& genome, std::size_t variable);

}  // namespace weir::test
