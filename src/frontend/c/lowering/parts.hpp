// How an access lies on the cells of the memory that it goes to.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/c/lowering/places.hpp"

namespace weir::c {

struct Part {
  std::int64_t offset = 0;  // of the cell from the start of the access
  std::uint64_t bytes = 0;
};

// The cells that an access of some bytes touches. Empty if it hits one cell as a whole, or nothing is known.
std::vector<Part> parts_of(const Place& place, std::uint64_t bytes);

// Is the access made cell by cell?
bool is_split(const Place& place, const std::vector<Part>& parts, std::uint64_t bytes);

// Is every byte of the access in one of the cells, which are given in their order?
bool is_covered(const std::vector<Part>& parts, std::uint64_t bytes);

// Is the type only one way to see these bytes?
bool is_seen_otherwise(const Place& place, std::uint64_t bytes);

}  // namespace weir::c
