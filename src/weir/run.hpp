// How a call runs: how long, with how much memory, how to stop it, and how to see how far it is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace weir::v1 {

struct Progress {
  std::string phase;         // "explicit tso"
  std::uint64_t states = 0;  // visited so far, or what else `unit` says
  std::string unit;          // "states"
  std::uint64_t queue = 0;   // found and not yet visited
  std::uint64_t depth = 0;
  std::uint64_t expected = 0;  // how many there will be, about; 0: not known
  std::string note;            // worth telling at once; mostly empty
  double seconds = 0;          // since the call
};

struct RunOptions {
  std::optional<std::chrono::duration<double>> timeout = {};  // seconds
  std::optional<std::uint64_t> memory = {};  // bytes that the whole process may have, the caller included
  unsigned jobs = 1;                         // searches at the same time; 0: one for each core
  // Asked to stop, the call returns within a tenth of a second, with what it knows.
  std::stop_token stop = {};
  // Called a few times per second by a thread that searches, never twice at the same time. What it throws ends
  // the call, with an error.
  std::function<void(const Progress&)> progress = {};
};

}  // namespace weir::v1
