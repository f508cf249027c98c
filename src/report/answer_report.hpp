// An answer as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/answer.hpp"
#include "report/text/terminal.hpp"

namespace weir {

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

// An option of the command line that can change the answer.
struct GivenOption {
  std::string text;                   // "--model tso", as a shell needs it
  bool about_input = false;           // says what the program is, or what must hold; not how to look at it
  std::vector<std::string> commands;  // that have it
};

// What was asked, and what it cost.
struct RunInfo {
  std::string command;  // "check"
  std::string file;
  std::string version;
  Model model = Model::kSc;
  std::vector<std::pair<std::string, OptionValue>> options;  // as given or by default, for the JSON echo
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::string witness_file;             // where the witness went; empty if nowhere
  std::vector<std::string> files = {};  // all of them; empty: `file` is the only one
  std::vector<std::string> compiler_arguments = {};
  std::vector<GivenOption> given = {};
  std::string native = {}, native_message = {};  // what --native found: the outcome's name, and what it was
};

// As in the JSON answer: a replayed attack is "not-robust", and fairness has words of its own.
const char* verdict_name(const Answer& answer);

// "UNSAFE under tso: mutual exclusion violated: …": one line with its end.
std::string verdict_line(const Answer& answer, const RunInfo& run, const Presentation& presentation);

// The verdict, where it happens, how it happens, what it cost, and what to do next.
std::string text_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation);

// Every figure of the run, one per line: for -v.
std::string statistics_text(const Answer& answer);
std::string statistics_text(std::string_view engine, const Statistics& statistics);

// One JSON object, as docs/manual/README.md describes it. Local steps of the witness only if the presentation
// shows them.
std::string json_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation);

}  // namespace weir
