// weir outcomes: load, explore everything, list the final values of variables.
#include <algorithm>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/restrictions.hpp"
#include "cli/session.hpp"
#include "cli/value_limits.hpp"
#include "engine/explicit/explicit.hpp"
#include "report/outcomes_report.hpp"

namespace weir::cli {

namespace {

std::vector<std::string> variable_names(const Program& program) {
  std::vector<std::string> names;
  for (const SharedObject& object : program.objects)
    if (!object.constant) names.push_back(object.name);
  return names;
}

void add_cells(const SharedObject& object, std::vector<Value>& addresses) {
  for (std::size_t k = 0; k < object.initial.size(); ++k)
    addresses.push_back(object.base + static_cast<Value>(k) * object.stride);
}

// Those that --show names, or all variables that stand in the user's text.
Expected<std::vector<Value>, UsageError> shown_addresses(const Program& program, const Settings& settings) {
  std::vector<Value> addresses;
  const std::vector<std::string>& wanted = settings.list(OptionId::kShow);
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(program.objects, name, &SharedObject::name);
    if (found == program.objects.end()) {
      const auto near = nearest(name, variable_names(program));
      return UsageError{fmt::format("there is no shared variable '{}'", name),
                        near ? fmt::format("did you mean {}?", *near) : ""};
    }
    add_cells(*found, addresses);
  }
  if (!wanted.empty()) return addresses;
  for (const SharedObject& object : program.objects)
    if (object.position.known() && !object.constant) add_cells(object, addresses);
  return addresses;
}

std::vector<Value> values_at(const std::vector<Value>& addresses, const ExplorationRecord::Memory& memory) {
  std::vector<Value> values;
  for (const Value address : addresses) {
    const auto cell = std::ranges::lower_bound(memory, address, {}, &std::pair<Value, Value>::first);
    values.push_back(cell != memory.end() && cell->first == address ? cell->second : 0);
  }
  return values;
}

ExplicitOptions exploring_options(const Settings& settings, ValueLimits values, ExplorationRecord& record) {
  ExplicitOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.values = std::move(values);
  options.symmetry = false;  // which of the threads did something shows in the outcome
  if (const auto buffer = settings.number(OptionId::kBuffer))
    options.buffer = static_cast<std::uint32_t>(std::min<std::uint64_t>(*buffer, UINT32_MAX));
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.record = &record;
  return options;
}

void print_report(const OutcomesReport& report, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return print_out(outcomes_json(report, run));
  if (settings.flag(OptionId::kQuiet)) return print_out(outcomes_line(report, run, shown));
  print_out(outcomes_text(report, run, shown));
  if (settings.flag(OptionId::kVerbose)) print_out(statistics_text(report.answer));
}

}  // namespace

int run_outcomes(const CommandLine& line) {
  const Settings& settings = line.settings;
  auto program = load_program(line);
  if (!program) return fail_input(program.error());
  auto addresses = shown_addresses(*program, settings);
  if (!addresses) return fail_usage(addresses.error());
  auto values = value_limits(*program, settings);
  if (!values) return fail_usage(values.error());

  program->properties = {};  // what is asked is where executions end, not whether they are right
  ExplorationRecord record{.only_finals = true};
  const ExplicitOptions options = exploring_options(settings, std::move(*values), record);
  RunInfo run = run_info(line, options.model);
  Answer answer;
  {
    Session session(settings);
    answer = check_explicit(*program, options, session.context());
    note_cost(run, session.context());
  }
  warn(*program, answer.diagnostics, settings);
  warn(*program, restriction_warnings(*program), settings);
  OutcomesReport report{.program = *program,
                        .addresses = std::move(*addresses),
                        .stuck = record.stuck,
                        .complete = record.complete && program->restrictions.empty(),
                        .answer = answer};
  for (const ExplorationRecord::Memory& memory : record.finals)
    report.values.insert(values_at(report.addresses, memory));
  print_report(report, run, settings);
  return report.complete ? kDone : kUnknown;
}

}  // namespace weir::cli
