// weir fair: a system or a program, and what is asked about it; solve, report.
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/fair_system.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#ifdef WEIR_HAS_BUDDY
#include "verify/fair/starvation.hpp"
#endif

namespace weir::cli {

#ifndef WEIR_HAS_BUDDY

int run_fair(const CommandLine& line, Session&) {
  return fail_usage(line, {"this weir was built without BuDDy, which weir fair needs", ""});
}

#else

namespace {

fairness::Scheduler scheduler(std::string_view name) {
  if (name == "none") return fairness::Scheduler::kAny;
  if (name == "strong") return fairness::Scheduler::kStrong;
  return name == "random" ? fairness::Scheduler::kDice : fairness::Scheduler::kWeak;
}

Expected<fairness::StarvationOptions, UsageError> starvation_options(const Settings& settings) {
  auto streett = streett_options(settings);
  if (!streett) return streett.error();
  fairness::StarvationOptions options{.model = parse_model(settings.text(OptionId::kModel)).value(),
                                      .scheduler = scheduler(settings.text(OptionId::kFairness)),
                                      .fair_flushes = !settings.flag(OptionId::kLazyFlushes),
                                      .local_steps = settings.number(OptionId::kLocalSteps).value(),
                                      .streett = *streett};
  if (const auto buffer = settings.number(OptionId::kBuffer)) {
    if (*buffer == 0 || *buffer > 1000) return UsageError{"--buffer needs a number from 1 to 1000", ""};
    options.buffer = static_cast<std::uint32_t>(*buffer);
  }
  return options;
}

std::optional<UsageError> check_places(const Settings& settings) {
  for (const auto& [option, name] :
       {std::pair(OptionId::kRequest, "--request"), {OptionId::kGrant, "--grant"}})
    if (settings.list(option).empty())
      return UsageError{fmt::format("weir fair needs {} PLACES for a program", name),
                        "as in --request P0:want --grant P0:cs"};
  return std::nullopt;
}

int check_program_fairness(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (const auto error = check_focus(*program, settings)) return fail_usage(line, *error);
  if (const auto error = check_places(settings)) return fail_usage(line, *error);
  const auto responses =
      verify::find_responses(*program, settings.list(OptionId::kRequest), settings.list(OptionId::kGrant));
  if (!responses) return fail_usage(line, of_option(responses.error()));
  const auto options = starvation_options(settings);
  if (!options) return fail_usage(line, options.error());
  RunInfo run = run_info(line, options.value().model);
  session.enter("searching");
  const Answer answer =
      verify::check_starvation(*program, responses.value(), options.value(), session.context());
  note_cost(run, session.context());
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  return present(line, session, run, presentable(*program, answer, run, exit_code(answer.verdict)));
}

}  // namespace

int run_fair(const CommandLine& line, Session& session) {
  return verify::is_system_path(line.file) ? solve_system(line, session)
                                           : check_program_fairness(line, session);
}

#endif

}  // namespace weir::cli
