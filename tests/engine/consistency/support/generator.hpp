// Random instances. The events are those of a random program; the sources of a realizable instance are what
// its reads saw in a random run, those of others have a few reads redirected.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "engine/consistency/instance.hpp"
#include "program/model.hpp"

namespace weir::consistency::test {

struct Shape {
  unsigned threads = 2, events = 4, variables = 2;  // events per thread, at most
  // Of a hundred events.
  unsigned updates = 10, fences = 8, store_fences = 6, writes = 40;
  unsigned early_commits =
      50;                     // of a hundred choices between a commit and an event, how many go to the commit
  unsigned redirected = 0;    // reads that get another source
  unsigned more_sources = 0;  // of a hundred reads, how many get more (for SC)
};

// A variety of small shapes.
Shape shape_for(std::uint64_t seed);

Instance random_instance(std::uint64_t seed, const Shape& shape, Model model);

// For people: one line per thread.
std::string describe(const Instance& instance);

// The instance without one of its events, if it is complete without it.
bool without(const Instance& instance, EventId event, Instance& smaller);

}  // namespace weir::consistency::test
