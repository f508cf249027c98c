// The SHA-256 hash of a text, by which formats of other tools name the files they speak of (FIPS 180-4). For
// identification, not for secrecy.
#pragma once

#include <string>
#include <string_view>

namespace weir {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace weir
