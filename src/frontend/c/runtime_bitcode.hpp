// The runtime (runtime/*.c), compiled when Weir was built.
#pragma once

#include <string_view>

namespace weir::c {

std::string_view runtime_bitcode();

}  // namespace weir::c
