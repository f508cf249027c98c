// Reading the user's files: which format they have, and what to say when they cannot be read.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "program/program.hpp"

namespace weir::cli {

enum class Format : std::uint8_t { kUnknown, kWeir, kTrencher, kImp, kRmm, kLitmus, kReplay, kC };

// By suffix, then by the first few kilobytes.
Format recognise(std::string_view path, std::string_view text);

// The format of a program: as --format says, or as recognised.
Format program_format(const CommandLine& line, std::string_view text);

Expected<std::string> read_file(const std::string& path);

// Reads and validates the program that the command is about. Nothing is to be written over its files.
Expected<Program> load_program(const CommandLine& line, Session& session);

// As above for a text already read; not for C programs, which are more than a text.
Expected<Program> parse_program(const CommandLine& line, std::string text);

}  // namespace weir::cli
