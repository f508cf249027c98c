// How an answer reaches the user. A command says what its answer has; here is the one place that knows which form of it
// is wanted on standard output (JSON, a line, or text, with the figures of the run), and which files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "report/answer_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/sarif/sarif.hpp"

namespace weir::cli {

// Each form is a function of a Presentation; only the one that is wanted is called. `figures` is for -v.
template <class Json, class Line, class Text, class Figures>
std::string in_wanted_form(const Settings& settings, Json json, Line line, Text text, Figures figures) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return json(shown);
  if (settings.flag(OptionId::kQuiet)) return line(shown);
  return text(shown) + (settings.flag(OptionId::kVerbose) ? figures() : std::string());
}

template <class Json, class Line, class Text>
std::string in_wanted_form(const Settings& settings, Json json, Line line, Text text) {
  return in_wanted_form(settings, json, line, text, [] { return std::string(); });
}

// What an answer has. Functions are called if somebody wants what they make; those that are left out make nothing.
struct Presentable {
  using Form = std::function<std::string(const Presentation&)>;

  int code = 0;  // the exit code
  Form json, line, text;
  std::function<std::string()> figures;  // for -v
  std::string afterwards;                // what follows the answer, in whatever form that is
  bool exact = false;                    // it is for other programs: control characters stay

  const Program* program = nullptr;    // for --dot
  const Witness* witness = nullptr;    // for --dot and --witness
  bool saved = false;                  // the witness came from a file, and is not written again
  std::function<SarifLog()> log;       // for --sarif
  std::function<ExplorerPage()> page;  // for --html
  // Files of this command alone. Each returns what to say, or nothing.
  std::vector<std::function<std::optional<Diagnostic>()>> others;
};

// An answer about a program, with its witness. All that is given is used as long as the result is.
Presentable presentable(const Program& program, const Answer& answer, const RunInfo& run, int code);

// Prints the answer, then writes the files that are asked for. Returns the exit code.
int present(const CommandLine& line, Session& session, const RunInfo& run, const Presentable& answer);

// Files. Writing them comes after the answer, and what goes wrong then costs nothing but the file: it is told, and the
// exit code stays what it is. `write` returns what to say, or nothing.
void deliver(const CommandLine& line, const std::function<std::optional<Diagnostic>()>& write);
// The file that an option names; `text` is only called if it is given.
void deliver(const CommandLine& line, OptionId file, const std::function<std::string()>& text);
// What --html asks for.
void deliver_page(const CommandLine& line, const RunInfo& run, const std::function<ExplorerPage()>& page);

}  // namespace weir::cli
