// Certificates by the textbook: backward saturation of [Abdulla16], Sections 4 and 6, on whole
// configurations. Every thread (of any number: those that matter) and every cell is told, all messages have
// values, steps of threads are looked up in what the reference machine does under SC from each local state
// and each content of memory, and nothing is indexed. For programs of very few instructions; to check the
// checker of certificates, with which it shares only what a certificate is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/dual/certificate.hpp"

namespace weir::test {

struct DualSaturation {
  DualCertificate certificate;
  // So many of each thread reach a violation, and the certificate proves nothing; empty if it does.
  std::vector<std::uint32_t> violating;
};

// Nothing if there would be more than so many elements or local states. The program must have no calls, no
// memory but its declared cells, and no property that speaks about the inside of sections; with any number,
// at most two threads.
std::optional<DualSaturation> saturate(const Program& program, Model model, bool any_number,
                                       std::size_t most_elements);

}  // namespace weir::test
