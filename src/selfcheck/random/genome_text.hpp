// Names for what genomes are made of.
#pragma once

#include "selfcheck/random/genome.hpp"

namespace weir::selfcheck {

std::string variable_name(const Genome& genome, std::size_t variable);

}  // namespace weir::selfcheck
