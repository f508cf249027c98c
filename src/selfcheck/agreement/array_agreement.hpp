// The array engine against the reference machine: what it says of any number of processes must be so for up
// to four of them.
#pragma once

#include <cstdint>
#include <string>

#include "program/array/system.hpp"

namespace weir::selfcheck {

struct ArrayAgreement {
  enum class Kind : std::uint8_t {
    kSafe,       // and no instance is unsafe, as far as they could be explored
    kConfirmed,  // unsafe, and the trace is a run
    kOther,      // unsafe, by another run than the trace
    kUnknown,    // no answer, or a trace that no instance has where guards are weakened
    kDisagree,
  } kind = Kind::kUnknown;
  bool bounded = false;  // kSafe: some instance was too large
  std::string message;   // kDisagree
};

ArrayAgreement compare_array(const array::ArraySystem& system, bool guess);

}  // namespace weir::selfcheck
