// A set of states of a parameterized system, as the backward search keeps it: some distinct processes exist,
// and all constraints hold of them.
//
// Weak memory. Going backwards, a read is met before the write it reads from. Until then the region holds the
// read: process `process` is to read `cell` and get a value on which there are constraints. Reads that happen
// together (those of one transition, or the views of an unsafe cube) form a group, one event of the global
// order ghb. The search meets events in the order of a schedule with which coherence agrees (Conchon,
// Declerck, Zaidi, "Parameterized Model Checking on the TSO Weak Memory Model", Section 4), so an event met
// later comes earlier in the schedule and only ever gets edges to what is there. A cycle can only be closed
// by a write that an open read does not take (read before write, by fr) and that itself reaches the read. So
// of the whole order, all that the future search needs is which open groups are reached from where a new edge
// may arrive:
//
//   from a later write of the same process           (program order of writes)
//   from a later read behind a fence of the process  (fences)
//   from any later event of the process              (program order from reads)
//   from a later write of the same cell              (coherence, from-read)
//   from the views of the unsafe cube                (every read happens before the end)
//
// These sets are the `anchors`; they and `after` are transitively closed. Events that are neither open nor
// the source of such a set are forgotten, which is why regions stay small and the search ends more often than
// with all events kept. A read on whose value there is no constraint can be forgotten: at whatever point of
// the order it stands, it reads something.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/array/theory/facts.hpp"
#include "engine/array/vocabulary.hpp"

namespace weir::array {

using Groups = std::uint32_t;  // a set of groups of reads

struct Read {
  Node cell;
  std::uint8_t process = 0;
  std::uint8_t group = 0;

  template <class Archive>
  void transfer(Archive& archive) {
    archive(cell, process, group);
  }
  friend auto operator<=>(const Read&, const Read&) = default;
};

enum class AnchorKind : std::uint8_t {
  kWrites,    // of `process`: reached from its writes
  kFenced,    // of `process`: reached from what comes after a fence of it
  kEvents,    // of `process`: reached from its reads and writes
  kCell,      // reached from the writes of `cell`
  kEveryone,  // every read of every process comes before
};

struct Anchor {
  AnchorKind kind = AnchorKind::kWrites;
  std::uint8_t process = 0;
  Node cell;
  Groups groups = 0;

  template <class Archive>
  void transfer(Archive& archive) {
    archive(kind, process, cell, groups);
  }
  friend auto operator<=>(const Anchor&, const Anchor&) = default;
};

struct Region {
  std::uint32_t processes = 0;
  std::vector<Constraint> constraints;  // in normal form
  std::vector<Read> reads;              // the open ones; sorted
  std::vector<Groups> after;            // for each group: the groups that come after it
  std::vector<Anchor> anchors;          // sorted by kind, process and cell; none empty
  std::uint64_t signature = 0;          // see `sign`

  Groups anchored(AnchorKind kind, std::uint8_t process, Node cell = Node()) const;
  void anchor(AnchorKind kind, std::uint8_t process, Node cell, Groups groups);
  std::size_t size() const { return constraints.size() + reads.size(); }

  template <class Archive>
  void transfer(Archive& archive) {
    archive(processes, constraints, reads, after, anchors, signature);
  }
  friend bool operator==(const Region&, const Region&) = default;
};

// Brings a region whose constraints are those of `facts` into its normal form: constraints without
// redundancy, no read without a constraint, no empty group, no process that nothing speaks of. Returns where
// the processes went (kGone for those dropped).
inline constexpr std::uint8_t kGone = 0xFF;
std::vector<std::uint8_t> settle(Region& region, const Facts& facts);

// A set of bits that grows with what a region demands: if region A covers region B, the bits of A are among
// B's.
std::uint64_t sign(const Region& region, const Vocabulary& vocabulary);

std::string describe(const Region& region, const Vocabulary& vocabulary);

}  // namespace weir::array
