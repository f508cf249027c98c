// Figures of a run, in the order in which they are reported. Each engine keeps its own small struct while it
// works and publishes it here once, so that `-v` and the JSON answer print the same numbers by the same code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weir {

class Statistics {
 public:
  using Figure = std::variant<std::uint64_t, double>;
  struct Entry {
    std::string name;
    Figure figure;
  };

  void set(std::string_view name, Figure figure) {
    for (Entry& entry : entries_)
      if (entry.name == name) {
        entry.figure = figure;
        return;
      }
    entries_.push_back({std::string(name), figure});
  }
  const Figure* find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return &entry.figure;
    return nullptr;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace weir
