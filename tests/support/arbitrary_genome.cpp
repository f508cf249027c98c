#include "support/arbitrary_genome.hpp"

#include <rapidcheck.h>

namespace weir::test {

using namespace selfcheck;

rc::Gen<Genome> arbitrary_genome(const GeneratorShape& shape) {
  const rc::Gen<Genome> unshrunk([shape](const rc::Random& random, int) {
    rc::Random source = random;
    return rc::shrinkable::just(random_genome(source.next(), shape));
  });
  return rc::gen::shrink(
      unshrunk, [](const Genome& genome) { return rc::seq::fromContainer(simplifications(genome)); });
}

}  // namespace weir::test
