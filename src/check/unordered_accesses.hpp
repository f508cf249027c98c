// Data races by the happens-before relation of C and C++, once more and by the letter: the relations of the
// standard as sets of pairs, and their closure. It shares nothing with trace/data_race.hpp but the
// definition:
//
//   - sequenced before: the order of a thread;
//   - release sequence: an atomic write, and the read-modify-writes that read from it or from a member;
//   - synchronises with: from a release (an atomic write that releases, or a fence that does, before an
//   atomic write
//     in its thread) to an acquire (an atomic read that acquires, or a fence that does, behind an atomic read
//     in its thread), if the read reads from the release sequence of the write;
//   - happens before: the transitive closure of the first and the last.
//
// Accesses in an atomic block are atomic, acquire and release.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "trace/witness.hpp"

namespace weir {

// Two steps of the execution: accesses of one cell by different threads, one of them a write, one of them not
// atomic, neither of which happens before the other; the second one is in the last step that accesses memory,
// or in its atomic block. Cubic in the number of accesses.
std::optional<std::pair<std::size_t, std::size_t>> unordered_at_end(const Program& program,
                                                                    const Witness& witness);

}  // namespace weir
