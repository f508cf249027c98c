// The user's files: read whole, and written so that there is always a whole one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace weir {

// What is wrong with a file, in words that name it.
InputError about_file(const std::string& path, std::string message, std::string hint = {});

// Why the file cannot be read; nothing if it can.
std::optional<InputError> reading_problem(const std::string& path);

// "-" is standard input.
Expected<std::string> read_file(const std::string& path);

// What to say, or nothing if the file was written. An ordinary file has the old content or the new one at
// every moment: the text goes to a neighbour without a name, which then takes the place of the file. Where
// that cannot be done, and for pipes and devices, it is written as it is.
std::optional<Diagnostic> write_file(const std::string& path, std::string_view text);

// Why the file could not be written, or a file could not be made in the folder, which is made if it is not
// there; nothing if it could. No file is changed, and a pipe is not opened: that would wait.
std::optional<Diagnostic> writing_problem(const std::string& path);
std::optional<Diagnostic> folder_problem(const std::string& path);

// Do both paths name one file, or would they? Pipes and devices may be the same: nothing is destroyed by
// writing to them twice.
bool same_file(const std::string& a, const std::string& b);
// Is it the file that a stream of this process comes from or goes to?
bool is_stream(const std::string& path, int descriptor);

}  // namespace weir
