// The final states of a program by axioms, without interleavings and without buffers: what the operational
// searches are compared with [Alglave14].
//
// A candidate execution is what each thread did, for each read the write it read from (rf), and for each
// address the order of its writes (co). It is allowed by a memory model if two unions of relations have no
// cycle:
//   uniproc: program order between accesses to one address, rf, co and fr (from a read to the writes that
//   come
//     after its source in co);
//   global happens-before: what the model keeps of program order, rf (between threads only, unless the model
//     is SC), co and fr.
// Of program order, SC keeps all; TSO all but from a store to a later load with nothing in between that
// drains the buffer; PSO drops also from a store to a later store to another address, unless a store-store
// barrier stands between. docs/semantics.md says what drains and what is a barrier. A read-modify-write is
// one event, so that the first axiom makes it atomic.
//
// Straight-line code and branches; loops as far as the limits allow. No lock sections, atomic blocks, calls
// or allocation.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "program/final_states.hpp"
#include "program/model.hpp"

namespace weir {

struct AxiomaticLimits {
  std::uint64_t steps = 20'000'000;       // instructions executed in all candidates together
  std::uint64_t candidates = 20'000'000;  // with orders of writes
  std::uint32_t local_steps = 2'000;      // of one thread between two accesses
  std::function<bool()> stopped;          // asked often, if given: true ends the enumeration
};

struct AxiomaticOutcomes {
  struct OfModel {
    std::set<FinalState> states;   // where every thread has stopped
    std::uint64_t executions = 0;  // allowed ones; several can end alike
  };

  bool complete = true;
  std::string reason;  // if it is not
  std::array<OfModel, 3> models;
  std::uint64_t candidates = 0;

  OfModel& of(Model model) { return models[static_cast<std::size_t>(model)]; }
  const OfModel& of(Model model) const { return models[static_cast<std::size_t>(model)]; }
};

// Under all three models at once: what SC allows TSO does, and what TSO allows PSO does.
AxiomaticOutcomes axiomatic_outcomes(const Program& program, const AxiomaticLimits& limits = {});

}  // namespace weir
