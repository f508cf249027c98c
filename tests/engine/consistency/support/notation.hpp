// A short notation for instances in tests: one text per thread, as in
//   "w x; r y=1.0; u z=i; f; sf"
// for a write of x, a read of y from event 0 of thread 1, an update of z that reads the initial write, a
// fence and a store fence. Several sources are separated by '|'.
#pragma once

#include <initializer_list>
#include <string_view>

#include "engine/consistency/instance.hpp"

namespace weir::consistency::test {

Instance instance_of(std::initializer_list<std::string_view> threads);

}  // namespace weir::consistency::test
