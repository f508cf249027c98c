// Commands for the user to try next, about the same input: with all of its files and what was said about
// them, so that they answer what they seem to.
#pragma once

#include <string>
#include <string_view>

#include "report/answer_report.hpp"

namespace weir {

// "weir fence a.c b.c --for safety --races -- -Iinclude". Of the options that were given, those about the
// input are repeated as far as the command has them; `options` are the others.
std::string ask_again(const RunInfo& run, std::string_view command, std::string_view options = "");

// Can the question be asked of this command, under this model, with as many threads as were asked for? Where that is
// left out, the answer would be about something else.
bool can_ask(const RunInfo& run, std::string_view command, Model model);

// "-n any", in one of its spellings.
bool asks_for_any_number(const RunInfo& run);

// The same question under another memory model.
std::string ask_under(const RunInfo& run, Model model);

// The cheapest fences that keep the program safe, where there are buffers. For any number of threads nobody knows them.
bool can_ask_for_fences(const RunInfo& run);
std::string ask_for_fences(const RunInfo& run);

// What was asked: the command with all that can change the answer.
std::string asked(const RunInfo& run);

// The word as a shell needs it.
std::string shell_word(std::string_view word);

}  // namespace weir
