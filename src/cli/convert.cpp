// weir convert: write a program in another format.
#include "cli/array.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/properties.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/array_of_program.hpp"
#include "program/array_text.hpp"
#include "program/polling.hpp"
#include "program/text.hpp"
#include "report/dot.hpp"
#include "report/promela.hpp"

namespace weir::cli {

namespace {

using Converted = Expected<std::string, std::vector<Diagnostic>>;

Converted converted(const Program& program, std::string_view format) {
  // Only .weir and RMM have loads that wait.
  if (format == "trencher") return print_trencher(with_polling(program));
  if (format == "imp") return print_imp(with_polling(program));
  if (format == "rmm") return print_rmm(program);
  if (format == "promela") return promela(with_polling(program));
  if (format == "array") {
    auto system = array::as_array_system(program);
    if (!system) return std::vector<Diagnostic>{system.error()};
    return print_array_system(*system);
  }
  if (format == "dot") return dot_graph(program);
  return print(program);
}

int deliver(const std::string& text, const SourceMap& sources, const Settings& settings) {
  if (!settings.given(OptionId::kOutput)) {
    print_out(text);
    return kDone;
  }
  if (const auto problem = write_file(std::string(settings.text(OptionId::kOutput)), text))
    return fail_input({*problem}, sources);
  return kDone;
}

int rewrite_array_system(const CommandLine& line) {
  auto system = load_array_system(line);
  if (!system) return fail_input(system.error());
  return deliver(print_array_system(*system), system->sources, line.settings);
}

}  // namespace

int run_convert(const CommandLine& line) {
  const Settings& settings = line.settings;
  if (!settings.given(OptionId::kTo))
    return fail_usage({"weir convert needs to know the format to write", "weir convert FILE --to weir"});
  if (is_array_system(line) && settings.text(OptionId::kTo) == "array" &&
      !settings.given(OptionId::kProcesses))
    return rewrite_array_system(line);
  auto program = load_program(line);
  if (!program) return fail_input(program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(*error);
  const Converted text = converted(*program, settings.text(OptionId::kTo));
  if (!text) return fail_input(text.error(), program->sources);
  return deliver(text.value(), program->sources, settings);
}

}  // namespace weir::cli
