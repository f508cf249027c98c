// weir convert: write a program in another format.
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/properties.hpp"
#include "cli/outputs.hpp"
#include "export/dot/dot.hpp"
#include "export/promela/promela.hpp"
#include "program/analysis/polling.hpp"
#include "program/array/of_program.hpp"
#include "program/array/text.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"

namespace weir::cli {

namespace {

using Converted = Expected<std::string, std::vector<Diagnostic>>;

Converted converted(const Program& program, std::string_view format) {
  if (format == "promela") return promela(with_polling(program));
  if (format == "array") {
    auto system = array::as_array_system(program);
    if (!system) return std::vector<Diagnostic>{system.error()};
    return print_array_system(*system);
  }
  if (format == "dot") return dot_graph(program);
  return verify::find_language(format)->print(program);
}

std::string answer_text(const std::string& text, const CommandLine& line, const Context& context) {
  const Settings& settings = line.settings;
  if (!settings.flag(OptionId::kJson)) return settings.given(OptionId::kOutput) ? "" : text;
  RunInfo run = run_info(line, Model::kSc);
  note_cost(run, context);
  Json out = answer_json({"convert", "done", "the program was converted", {}, {}}, run);
  out["format"] = settings.text(OptionId::kTo);
  if (settings.given(OptionId::kOutput))
    out["output"] = settings.text(OptionId::kOutput);
  else
    out["text"] = text;
  return dump(out);
}

int hand_over(const std::string& text, const CommandLine& line, Session& session) {
  if (line.settings.given(OptionId::kOutput))
    if (const auto problem = write_file(std::string(line.settings.text(OptionId::kOutput)), text))
      return fail_input(line, {*problem}, {});
  return session.answer_exactly(answer_text(text, line, session.context()), kDone);
}

int rewrite_array_system(const CommandLine& line, Session& session) {
  auto system = verify::load_array_system(line.file);
  if (!system) return fail_input(line, system.error());
  return hand_over(print_array_system(*system), line, session);
}

}  // namespace

int run_convert(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (!settings.given(OptionId::kTo))
    return fail_usage(line,
                      {"weir convert needs to know the format to write", "weir convert FILE --to weir"});
  if (is_array_system(line) && settings.text(OptionId::kTo) == "array" &&
      !settings.given(OptionId::kProcesses))
    return rewrite_array_system(line, session);
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(line, *error);
  const Converted text = converted(*program, settings.text(OptionId::kTo));
  if (!text) return fail_input(line, text.error(), program->sources);
  return hand_over(text.value(), line, session);
}

}  // namespace weir::cli
