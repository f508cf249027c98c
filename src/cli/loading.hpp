// Reading the user's files: which format they have, and what to say when they cannot be read.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "cli/options.hpp"
#include "program/program.hpp"

namespace weir::cli {

enum class Format : std::uint8_t { kUnknown, kWeir, kTrencher, kImp, kReplay };

// By suffix, then by the first few kilobytes.
Format recognise(std::string_view path, std::string_view text);

// The format of a program: as --format says, or as recognised.
Format program_format(std::string_view path, std::string_view text, const Settings& settings);

Expected<std::string> read_file(const std::string& path);

// Reads and validates a program and adds the properties asked for on the command line.
Expected<Program> load_program(const std::string& path, const Settings& settings);

// As above for a text already read.
Expected<Program> parse_program(const std::string& path, std::string text, const Settings& settings);

// What to say, or nothing if the file was written.
std::optional<Diagnostic> write_file(const std::string& path, std::string_view text);

}  // namespace weir::cli
