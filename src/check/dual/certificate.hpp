// A certificate that no violation is reachable under TSO (or SC), checked without any engine.
//
// It is about TSO with load buffers [Abdulla16], one instruction at a time: a store changes memory at once
// and appends an own message to the load buffer of its thread; memory appends what a cell holds to any buffer
// at any time; the oldest message of a buffer is dropped at any time; a load returns the newest own message
// for its cell, or if there is none the oldest message of the buffer, which must be for its cell; what needs
// an empty store buffer under TSO needs an empty load buffer here. This reaches the same local states as TSO,
// and the same states of memory.
//
// The certificate is a set of configurations, each of which stands for all that are above it: a cell not
// mentioned may hold anything, there may be more threads, an own message without a value may have any, and
// buffers may have more messages, but the same newest own messages in the same order, and what is wanted
// between these. It proves its claim if
//  1. the local states contain the initial ones of all threads, and are closed under every instruction that
//     is told values of the given sets; the sets contain what cells hold at the start and what is stored;
//  2. every violation is above an element: a failing instruction, a goal, mutual exclusion, an invariant;
//  3. no initial configuration is above an element;
//  4. every configuration from which one step leads above an element is itself above an element: every
//  minimal
//     predecessor, by every instruction of every thread, mentioned or not, and by memory's own steps.
#pragma once

#include <string>

#include "trace/dual_certificate.hpp"

namespace weir {

// What is wrong with the certificate, or why it cannot be checked; empty if it proves its claim. Time is at
// most the square of the elements, times the instructions.
std::string certificate_mistake(const Program& program, const DualCertificate& certificate);

}  // namespace weir
