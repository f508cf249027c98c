#include "engine/array/node.hpp"

namespace weir::array {

namespace {

constexpr std::uint32_t kUnused = 31;

}  // namespace

Renaming Renaming::identity(std::uint32_t processes) {
  Renaming renaming;
  for (std::uint32_t i = 0; i < kMostProcesses; ++i) renaming.process[i] = static_cast<std::uint8_t>(i);
  for (std::uint32_t i = 0; i < kMostReads; ++i) renaming.read[i] = static_cast<std::uint8_t>(i);
  renaming.processes = processes;
  return renaming;
}

Node Node::cell(SymbolId symbol, const std::uint8_t* processes, std::uint32_t dimensions) {
  std::uint32_t bits = symbol.index() << 15;
  for (std::uint32_t place = 0; place < kMostDimensions; ++place)
    bits |= (place < dimensions ? processes[place] : kUnused) << (5 * place);
  return Node(bits);
}

std::uint32_t Node::dimensions() const {
  std::uint32_t count = 0;
  while (count < kMostDimensions && process(count) != kUnused) ++count;
  return count;
}

std::uint32_t Node::processes() const {
  std::uint32_t set = 0;
  if (is_cell())
    for (std::uint32_t place = 0; place < kMostDimensions; ++place)
      if (process(place) != kUnused) set |= 1u << process(place);
  return set;
}

Node Node::renamed(const Renaming& renaming) const {
  if (is_zero()) return *this;
  if (is_read()) return value_of_read(symbol(), renaming.read[read()]);
  std::uint32_t bits = bits_ & ~0x7FFFu;
  for (std::uint32_t place = 0; place < kMostDimensions; ++place) {
    const std::uint32_t old = process(place);
    bits |= (old == kUnused ? kUnused : renaming.process[old]) << (5 * place);
  }
  return Node(bits);
}

}  // namespace weir::array
