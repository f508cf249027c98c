// The difference of two texts in the unified format, as `patch` reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/text/edit.hpp"

namespace weir {

// Both sides are called `path`, so that `patch -p0` applies it in the folder from which the path is given.
// Empty if the texts are the same.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

// All of them, one after the other.
std::string unified_diff(const std::vector<FileEdits>& files);

}  // namespace weir
