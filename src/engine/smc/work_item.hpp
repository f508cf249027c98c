// A part of the work of an exploration, in a form that another process can go on with: the branches that were
// taken to come to where the search is, by their numbers, and the branches beside the way that are still to
// be followed. What branches a graph has depends on nothing but the graph, so the numbers are enough, and the
// graphs are built again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weir {

struct WorkItem {
  struct Open {
    std::uint32_t depth = 0;  // after how many branches of the path
    std::uint32_t next = 0;   // the first branch that nobody has followed

    template <class Archive>
    void transfer(Archive& archive) {
      archive(depth, next);
    }
  };

  bool begun = false;  // if not, all is still to be done
  std::vector<std::uint32_t> path;
  std::vector<Open> open;  // by depth; none: all is done

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(begun, path, open);
  }
};

}  // namespace weir
