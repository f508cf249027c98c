// Witnesses as the Competition on Software Verification exchanges them, so that validators of other tools can
// confirm what weir found in a C program: YAML (format 2.2, which knows threads) and GraphML (format 1.0).
//
// Both tell an execution as a list of places in the source that are passed one after the other, with the
// thread that passes each and the values that __VERIFIER_nondet_* returned, up to the violation. They know
// sequential consistency only: a store and its flush cannot be told apart. Of a program that is safe they say
// so and give no invariants, as the engines do not have any in terms of the source.
//
// Steps are those that other threads can notice; where they stand is made a place that the formats know: the
// beginning of the statement, which is passed once however much is done in it, or the closing parenthesis of
// the call.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "trace/witness.hpp"

namespace weir {

struct SvcompStep {
  enum class Kind : std::uint8_t {
    kAccess,  // something other threads can notice
    kChoice,  // a call returned a value of its choice
    kCreate,  // a thread was created
    kEnter,   // a thread started to execute its function
    kTarget,  // the violation; a race has two, at the same time
  };

  Kind kind = Kind::kAccess;
  std::uint32_t thread = 0;  // the main thread is 0, others are numbered as they are created
  SourcePosition position;   // of the statement, or of the end of the call
  std::string function;      // kChoice: which returned; kEnter: which is entered
  Value value = 0;           // kChoice: what it returned; kCreate: the thread's number
};

struct SvcompWitness {
  std::string version;        // of weir
  std::string time;           // of creation, as in 2025-01-31T12:00:00Z
  std::string specification;  // "CHECK( init(main()), LTL(G ! data-race) )"
  const SourceMap* sources = nullptr;
  std::vector<std::string> files;  // that were given; others are headers
  bool narrow = false;             // for a machine of 32 bits
  bool violation = false;
  std::vector<SvcompStep> steps;
};

// What the formats say about a violation, or (no witness) about a program that is safe; or why they cannot.
Expected<SvcompWitness, std::string> svcomp_witness(const Program& program, const Witness* witness);

std::string svcomp_yaml(const SvcompWitness& witness);
std::string svcomp_graphml(const SvcompWitness& witness);

// The text of a file among the sources; empty if it is none of them.
std::string_view source_text(const SvcompWitness& witness, const std::string& file);

}  // namespace weir
