// All minimal configurations that violate a property of the program, up to messages that the threads can
// delete: condition 2 of dual_certificate.hpp.
//
// A violation of which the buffer is no part is told with empty buffers. That is enough: whoever has messages
// then can delete them, one by one, and condition 4 looks at each deletion.
#pragma once

#include <functional>
#include <string>

#include "check/dual/configuration.hpp"
#include "check/dual/moves.hpp"

namespace weir::certificates {

// Why the properties of the program cannot be checked; empty if they can.
std::string refused_property(const Program& program, const Threads& threads);

// `visit` gets each of them with what it violates, as long as it returns true. The properties must not be
// refused.
void for_each_violation(const Program& program, const DualCertificate& certificate, const Threads& threads,
                        const std::function<bool(const Configuration&, const std::string&)>& visit);

}  // namespace weir::certificates
