#include "cli/entry.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <new>

#include "base/archive.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/memory_guard.hpp"
#include "cli/options/help.hpp"
#include "cli/outputs.hpp"
#include "report/exit_code.hpp"

namespace weir::cli {

std::string version() { return WEIR_VERSION; }

namespace {

using Clock = Context::Clock;

int run_in_session(const CommandLine& line, Session& session) {
  if (const auto problem = check_outputs(line)) {
    if (const auto* usage = std::get_if<UsageError>(&*problem)) return fail_usage(line, *usage);
    return fail_input(line, {std::get<Diagnostic>(*problem)}, {});
  }
  switch (line.command) {
    case Command::kCheck: return run_check(line, session);
    case Command::kRobust: return run_robust(line, session);
    case Command::kFence: return run_fence(line, session);
    case Command::kReplay: return run_replay(line, session);
    case Command::kExplain: return run_explain(line, session);
    case Command::kConvert: return run_convert(line, session);
    case Command::kOutcomes: return run_outcomes(line, session);
    case Command::kConsistent: return run_consistent(line, session);
    case Command::kExplore: return run_explore(line, session);
    case Command::kGenerate: return run_generate(line, session);
    case Command::kFair: return run_fair(line, session);
    case Command::kSelfcheck: return run_selfcheck(line, session);
    case Command::kBench: return run_bench(line, session);
    case Command::kDoctor: return run_doctor(line, session);
  }
  return kInternal;
}

int run_command(const CommandLine& line, Clock::time_point start) {
  if (line.help) {
    print_out(command_help(line.command));
    return kDone;
  }
  Session session(line, start);
  try {
    return run_in_session(line, session);
  } catch (const Stopped&) {
    return session.answer_briefly();
  } catch (const std::bad_alloc&) {
  } catch (const std::exception&) {
    if (!lacks_memory()) throw;
  }
  lift_memory_limit();
  session.context().request_stop(StopReason::kMemory);
  return session.answer_briefly();
}

std::optional<Command> command_named(std::string_view name) {
  for (const CommandDescription& command : command_table())
    if (command.name == name) return command.command;
  return std::nullopt;
}

// What is known of a command line that cannot be read: enough to say so as it asks.
CommandLine as_far_as_known(const std::vector<std::string>& arguments) {
  CommandLine line{.command = command_named(arguments.empty() ? "" : arguments[0]).value_or(Command::kCheck)};
  const auto end = std::ranges::find(arguments, "--");
  if (std::find(arguments.begin(), end, "--json") != end) line.settings.set(OptionId::kJson, {"true"});
  return line;
}

int fail_with_choices(std::string_view option, std::string_view word,
                      const std::vector<std::string>& choices) {
  const std::string guess = guess_for(word, choices);
  return fail_usage({}, {word.empty() ? fmt::format("{} needs a word", option)
                                      : fmt::format("{} cannot be '{}'", option, word),
                         guess.empty() ? fmt::format("possible are {}", fmt::join(choices, ", ")) : guess});
}

// --man and --markdown of the command that is named.
int print_manual(std::string_view option, std::string_view word) {
  if (const auto command = command_named(word)) {
    print_out(option == "--man" ? manual_page(*command, version()) : options_markdown(*command));
    return kDone;
  }
  std::vector<std::string> names;
  for (const CommandDescription& command : command_table()) names.emplace_back(command.name);
  return fail_with_choices(option, word, names);
}

int print_completion(std::string_view shell) {
  if (shell != "bash" && shell != "zsh") return fail_with_choices("--completion", shell, {"bash", "zsh"});
  print_out(shell == "bash" ? bash_completion() : zsh_completion());
  return kDone;
}

bool asks_for_all_help(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  return std::find(arguments.begin(), end, "--help-all") != end;
}

int run(const std::vector<std::string>& arguments, Clock::time_point start) {
  const std::string first = arguments.empty() ? "" : arguments[0];
  const std::string second = arguments.size() < 2 ? "" : arguments[1];
  if (first == "--help" || first == "-h" || first == "help") {
    const auto command = command_named(second);
    print_out(command ? command_help(*command) : general_help());
    return kDone;
  }
  if (first == "--version") {
    print_out(fmt::format("weir {}\n", version()));
    return kDone;
  }
  if (first == "--man" && second.empty()) {
    print_out(manual_page(version()));
    return kDone;
  }
  if (first == "--man" || first == "--markdown") return print_manual(first, second);
  if (first == "--completion") return print_completion(second);
  if (const auto command = command_named(first); command && asks_for_all_help(arguments)) {
    print_out(command_help(*command, HelpLayer::kAll));
    return kDone;
  }
  if (arguments.empty()) print_error(general_help());
  auto line = parse_command_line(arguments);
  return line ? run_command(*line, start) : fail_usage(as_far_as_known(arguments), line.error());
}

}  // namespace

// The one place where exceptions end.
int run_weir(const std::vector<std::string>& arguments, Clock::time_point start) {
  try {
    const int code = run(arguments, start);
    if (output_arrived()) return code;
    print_error("weir: error: standard output cannot be written\n");
    return kBadInput;
  } catch (const ArchiveError& error) {
    return fail_input(as_far_as_known(arguments),
                      {{Severity::kError,
                        fmt::format("the checkpoint does not fit this search: {}", error.what()),
                        {},
                        "remove it to begin from the start"}},
                      {});
  } catch (const std::bad_alloc&) {
    return fail_internal(as_far_as_known(arguments), "out of memory",
                         "--memory sets a limit that ends the search in time");
  } catch (const std::exception& error) {
    return fail_internal(as_far_as_known(arguments), error.what(),
                         fmt::format("this is a bug in Weir {}: please report it, with the input and the "
                                     "command line",
                                     version()));
  }
}

}  // namespace weir::cli
