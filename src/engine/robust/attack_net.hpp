// The attacks of any number of threads as a Petri net: the rules of attack_system.hpp, with the helpers
// counted instead of listed [Bouajjani13, Section 6 and Appendix D]. Tokens are:
// - one per cell for its value, one per cell for what the attacker keeps to itself, and so on;
// - one for the attacker, and one for the thread in a section, if there is one. These and the ones above are
//   exclusive groups;
// - for each template and each place in its code, on or off the path, as many as there are helpers. Where a
//   template starts there may be any number.
//
// Where it differs from the attack system: helpers are free until the attack's load, because the roles that
// an unbounded number of them got while the attacker delayed could not be taken back then. And the accesses
// of a section on trial are not merged into the path at once, but cell by cell, at any time after it joined:
// to know less about the path never helps an attack.
//
// The net is searched backward, so some transitions *set* groups to what they hold anyway: the attack's load
// sets the path to be empty. A search that comes from behind then sees that what it asks for is impossible.
#pragma once

#include <vector>

#include "engine/coverability/petri/net.hpp"
#include "engine/robust/robust.hpp"
#include "machine/value_closure.hpp"

namespace weir {

struct AttackNet {
  PetriNet net;
  Marking success;  // can be covered exactly if some attack is feasible with some number of threads
  std::vector<PlaceId> starts;  // per entry of `closure.threads()`: holds any number at the start
  bool left_range = false;      // steps that leave a range of the options are not in the net
  EdgeId gave_up;               // nor is what follows this instruction, which was left out
};

// `closure` must be closed, made with the automaton options below. Only `possible` attacks are looked for.
AttackNet build_attack_net(const Program& program, const ValueClosure& closure, const RobustOptions& options,
                           const std::vector<Attack>& attacks, const std::vector<bool>& possible);

std::vector<AutomatonOptions> attack_net_automata(const Program& program, const RobustOptions& options);

}  // namespace weir
