// Numbering is by counting; hashing mixes every word of a state.
#include "check/array/state.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace weir::array {

namespace {

// The next tuple of processes, counting with the last one fastest; false after the last tuple.
bool next_tuple(std::vector<std::uint32_t>& tuple, std::uint32_t processes) {
  for (auto place = tuple.rbegin(); place != tuple.rend(); ++place) {
    if (++*place < processes) return true;
    *place = 0;
  }
  return false;
}

std::uint64_t mixed(std::uint64_t hash, const Rational& value) {
  return mix(mix(hash, static_cast<std::uint64_t>(value.numerator)),
             static_cast<std::uint64_t>(value.denominator));
}

}  // namespace

std::size_t ArrayStateHash::operator()(const ArrayState& state) const {
  std::uint64_t hash = state.cells.size();
  for (const Rational& value : state.cells) hash = mixed(hash, value);
  for (const std::vector<WriteGroup>& buffer : state.buffers) {
    hash = mix(hash, buffer.size());
    for (const WriteGroup& group : buffer) {
      hash = mix(hash, group.size());
      for (const CellWrite& write : group) hash = mixed(mix(hash, write.cell), write.value);
    }
  }
  return hash;
}

ArrayCells::ArrayCells(const ArraySystem& system, std::uint32_t processes) : processes_(processes) {
  WEIR_CHECK(processes > 0, "an array system needs a process");
  for (std::size_t symbol = 0; symbol < system.symbols.size(); ++symbol) {
    first_.push_back(cells_.size());
    std::vector<std::uint32_t> arguments(system.symbols[symbol].dimensions, 0);
    do cells_.push_back({SymbolId(symbol), arguments});
    while (next_tuple(arguments, processes));
  }
  first_.push_back(cells_.size());
}

std::size_t ArrayCells::number(SymbolId symbol, const std::vector<std::uint32_t>& arguments) const {
  std::size_t offset = 0;
  for (const std::uint32_t argument : arguments) {
    WEIR_CHECK(argument < processes_, "no such process");
    offset = offset * processes_ + argument;
  }
  return first_.at(symbol.index()) + offset;
}

std::pair<std::size_t, std::size_t> ArrayCells::range(SymbolId symbol) const {
  return {first_.at(symbol.index()), first_.at(symbol.index() + 1)};
}

std::string name_of(const ArraySystem& system, const ArrayCell& cell) {
  std::string arguments;
  for (const std::uint32_t argument : cell.arguments)
    arguments += fmt::format("{}#{}", arguments.empty() ? "" : ", ", argument + 1);
  const std::string& name = system.symbol(cell.symbol).name;
  return arguments.empty() ? name : fmt::format("{}[{}]", name, arguments);
}

}  // namespace weir::array
