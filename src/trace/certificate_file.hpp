// A certificate as JSON, with the program it is about:
//
//   { "schema": 1, "tool": "weir", "version": "0.7.0", "kind": "certificate", "model": "tso", "any_number":
//   true,
//     "program": "weir 1\n…", "values": { "x": [ 0, 1 ] },
//     "states": [ { "thread": "P", "location": "L3", "registers": { "r": 0 } }, … ],
//     "basis": [ { "memory": { "x": 1 }, "threads": [ { "state": 4, "buffer": [ { "address": "x", "value": 0
//     },
//                  { "address": "y", "own": true } ] } ] }, … ] }
//
// Buffers list their oldest message first; an own message without a value stands for all values. Locations
// have the names that the text form gives them, "" where a thread has stopped.
#pragma once

#include <string>
#include <string_view>

#include "trace/dual_certificate.hpp"

namespace weir {

std::string write_certificate(const Program& program, const DualCertificate& certificate,
                              std::string_view version);

}  // namespace weir
