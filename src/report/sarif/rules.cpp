#include "report/sarif/rules.hpp"

#include <array>

#include "base/error.hpp"

namespace weir {

namespace {

constexpr std::array kRules = {
    SarifRule{ViolationKind::kAssertion, "AssertionFails", "error",
              "An assertion fails, or a division by zero happens, in some execution.",
              "Follow the thread flows in the order of their steps: each store that enters a buffer becomes "
              "visible to other threads only at its flush. If the program is safe under sc, fences stop it: "
              "weir fence FILE --for safety."},
    SarifRule{
        ViolationKind::kDeadlock, "Deadlock", "error", "No thread can go on, and some thread has not ended.",
        "The end of each thread flow is where that thread waits, and for what. Take locks in one order, "
        "or make sure that somebody signals what is waited for."},
    SarifRule{
        ViolationKind::kRace, "DataRace", "error",
        "Two threads access the same memory at the same time, one of them writes, and one access is not "
        "atomic.",
        "The related locations are the two accesses. Protect both with the same lock, or make both "
        "atomic."},
    SarifRule{
        ViolationKind::kMemory, "WrongMemoryAccess", "error",
        "Memory is accessed that is not there or not initialised, released twice, or never.",
        "The last step is the access. The steps before it show who released or never wrote the memory."},
    SarifRule{ViolationKind::kGoal, "MarkedStateReached", "error",
              "A state is reachable that the program marks as one that must not be.",
              "If the program is safe under sc, fences stop it: weir fence FILE --for safety."},
    SarifRule{ViolationKind::kForbidden, "MutualExclusionViolated", "error",
              "Two threads are in sections of which only one may be entered at a time.",
              "If the program is safe under sc, fences stop it: weir fence FILE --for safety."},
    SarifRule{
        ViolationKind::kUnsafe, "InvariantViolated", "error", "A stated invariant is false in some state.",
        "The last step makes it false. If the program is safe under sc, fences stop it: weir fence FILE "
        "--for safety."},
    SarifRule{
        ViolationKind::kRobustness, "NotRobust", "warning",
        "Store buffers add behaviour that sequential consistency does not have.",
        "A load overtakes an earlier store of its thread, and another thread can tell. Fences between the "
        "two stop it: weir fence FILE."},
    SarifRule{ViolationKind::kTriangularRace, "TriangularRace", "warning",
              "A load that follows a store of its thread races with a write of another thread.",
              "Programs without triangular races have no behaviour under tso but that of sc; with them they "
              "may. Is it robust all the same? weir robust FILE."},
    SarifRule{ViolationKind::kStarvation, "Starvation", "error",
              "Something is requested and never granted, although threads and buffers are scheduled fairly.",
              "The thread flows end with the steps that are repeated for ever."},
};

}  // namespace

std::span<const SarifRule> sarif_rules() { return kRules; }

std::size_t sarif_rule_index(ViolationKind kind) {
  for (std::size_t i = 0; i < kRules.size(); ++i)
    if (kRules[i].kind == kind) return i;
  throw InternalError("a kind of violation without a rule");
}

}  // namespace weir
