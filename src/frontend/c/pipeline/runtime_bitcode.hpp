// The runtime (runtime/*.c), compiled when Weir was built, for both data models.
#pragma once

#include <string_view>

namespace weir::c {

// LP64 is that of x86-64, ILP32 that of i386.
enum class DataModel { kLp64, kIlp32 };

std::string_view runtime_bitcode(DataModel model);

}  // namespace weir::c
