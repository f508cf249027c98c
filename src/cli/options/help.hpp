// The option table told to people and to shells: --help, manual pages, Markdown, completion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/options/options.hpp"

namespace weir::cli {

std::string general_help();
// The few options that most people need, or all of them.
enum class HelpLayer : std::uint8_t { kFew, kAll };
std::string command_help(Command command, HelpLayer layer = HelpLayer::kFew);

// In man(7) format: of the whole program, weir(1), and of one command, such as weir-check(1).
std::string manual_page(std::string_view version);
std::string manual_page(Command command, std::string_view version);

// The table of options that docs/manual/ has for each command.
std::string options_markdown(Command command);

std::string bash_completion();
std::string zsh_completion();

// "-q, --quiet", "--model sc|tso|pso"
std::string synopsis(const OptionDescription& option);
// With the default, if there is one.
std::string help_text(const OptionDescription& option);

inline constexpr std::string_view kSeveralFiles =
    "Several C files are one program. What follows -- goes to the compiler: weir check a.c b.c -- -Iinclude "
    "-DN=2\n";

inline constexpr std::string_view kExitCodes =
    "Exit codes: 0 safe, robust, consistent, fair or done, 10 violation, not robust, inconsistent, unfair or "
    "replayed, 5 unknown, 1 usage, 2 bad input, 6 internal error.\n";

}  // namespace weir::cli
