// Nothing is claimed that the reference machine does not confirm. All of these throw InternalError if the
// witness does not replay there.
#pragma once

#include "engine/answer.hpp"
#include "engine/robust/robust.hpp"
#include "trace/witness.hpp"

namespace weir::verify {

// What the witness does that no model covers, if it does.
std::optional<std::string> beyond_model(const Program& program, const Witness& witness);

// Replaces an answer "unsafe" whose witness does what no model covers (accesses of different sizes) by
// "unknown", with the reason.
void respect_model(const Program& program, Answer& answer);

void confirm(const Program& program, const Witness& witness);

// The witness, confirmed and minimised.
Witness confirmed(const Program& program, const Witness& witness, const Context& context);
// The second half of that.
Witness shortened(const Program& program, const Witness& witness, const Context& context);

// The witness of an attack, confirmed and minimised. It is still about this store and this load.
Witness confirmed(const Program& program, const Attack& attack, const Witness& witness,
                  const Context& context);

}  // namespace weir::verify
