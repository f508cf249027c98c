#include "frontend/c/lowering/parts.hpp"

#include <algorithm>

namespace weir::c {

namespace {

bool has_padding(const std::vector<Part>& parts, std::uint64_t bytes) {
  std::uint64_t covered = 0;
  for (const Part& part : parts) covered += part.bytes;
  return covered < bytes;
}

}  // namespace

std::vector<Part> parts_of(const Place& place, std::uint64_t bytes) {
  if (place.layout == nullptr || place.layout->too_big) return {};
  if (place.certain() && place.offset + bytes > place.layout->size)
    return {};  // out of bounds: left to the machine
  std::vector<Part> parts;
  for (const CellRun& run : place.layout->slice(place.offset, place.offset + bytes))
    for (std::uint64_t k = 0; k < run.count; ++k)
      parts.push_back({static_cast<std::int64_t>(run.offset + k * run.stride - place.offset), run.bytes});
  if (parts.size() == 1 && parts[0].offset == 0 && parts[0].bytes == bytes) return {};
  return parts;
}

// Where the type is likely but not certain, only a structure that is passed as a number is taken apart.
bool is_split(const Place& place, const std::vector<Part>& parts, std::uint64_t bytes) {
  if (parts.empty()) return false;
  switch (place.owner) {
    case Owner::kPrivate: return has_padding(parts, bytes) && parts.size() > 1;
    case Owner::kGlobal: return true;
    case Owner::kBlock: return parts.size() > 1;
    case Owner::kUnknown:
      return parts.size() > 1 && place.offset == 0 && bytes >= place.layout->size &&
             place.layout->runs.size() > 1;
  }
  return false;
}

bool is_covered(const std::vector<Part>& parts, std::uint64_t bytes) {
  std::int64_t end = 0;
  for (const Part& part : parts) {
    if (part.offset > end) return false;
    end = part.offset + static_cast<std::int64_t>(part.bytes);
  }
  return end >= static_cast<std::int64_t>(bytes);
}

bool is_seen_otherwise(const Place& place, std::uint64_t bytes) {
  const auto runs = place.layout->slice(place.offset, place.offset + bytes);
  return std::any_of(runs.begin(), runs.end(), [](const CellRun& run) { return run.may_be_seen_otherwise; });
}

}  // namespace weir::c
