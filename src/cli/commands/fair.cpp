// weir fair: read a system and what is asked about it, solve it, check what shows the answer, report.
#include <charconv>
#include <fmt/format.h>
#include <random>
#include <unistd.h>
#include <variant>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/options/properties.hpp"
#include "cli/session.hpp"
#include "verify/confirmation.hpp"
#ifdef WEIR_HAS_BUDDY
#include "check/streett_reference.hpp"
#include "engine/fairness/plays.hpp"
#include "engine/fairness/questions.hpp"
#include "engine/fairness/starvation.hpp"
#include "engine/fairness/streett.hpp"
#include "frontend/fairness/systems.hpp"
#include "report/fairness_report.hpp"
#endif

namespace weir::cli {

#ifndef WEIR_HAS_BUDDY

int run_fair(const CommandLine& line, Session&) {
  return fail_usage(line, {"this weir was built without BuDDy, which weir fair needs", ""});
}

#else

namespace {

using fairness::Question;
using fairness::StreettOptions;
using fairness::StreettResult;
using fairness::Threshold;

// Ends the command with a message.
using Failed = std::variant<UsageError, InputError>;

template <class T>
T unwrap(Expected<T> result) {
  if (!result) throw Failed{std::move(result.error())};
  return std::move(*result);
}

std::string contents(std::string_view path) { return unwrap(read_file(std::string(path))); }

[[noreturn]] void usage(std::string message, std::string hint = {}) {
  throw Failed{UsageError{std::move(message), std::move(hint)}};
}

TransitionSystem read_prism(const CommandLine& line) {
  TransitionSystem system = unwrap(fairness::read_tra(line.file, contents(line.file)));
  std::string labels(line.settings.text(OptionId::kLabels));
  if (labels.empty()) {
    labels = line.file.substr(0, line.file.size() - 4) + ".lab";
    if (access(labels.c_str(), R_OK) != 0) return system;
  }
  return unwrap(fairness::read_lab(std::move(system), labels, contents(labels)));
}

TransitionSystem read_system(const CommandLine& line) {
  if (line.file.ends_with(".tra")) return read_prism(line);
  if (line.settings.given(OptionId::kLabels)) usage("--labels belongs to a .tra file");
  return unwrap(fairness::read_aut(line.file, contents(line.file)));
}

double random_share(const Settings& settings) {
  const std::string_view text = settings.text(OptionId::kRandomShare);
  double share = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 1))
    usage(fmt::format("--random needs a share between 0 and 1, not '{}'", text));
  return share;
}

// As many states as the share says, each set of them with the same probability.
void draw_random(TransitionSystem& system, double share, std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  auto wanted = static_cast<std::size_t>(share * static_cast<double>(system.given) + 0.5);
  for (std::size_t v = 0; v < system.given && wanted > 0; ++v)
    if (numbers() % (system.given - v) < wanted) {
      system.random[v] = true;
      --wanted;
    }
}

void add_chance(TransitionSystem& system, const Settings& settings) {
  if (settings.given(OptionId::kRandomVertices)) {
    const std::string path(settings.text(OptionId::kRandomVertices));
    for (const Vertex v : unwrap(fairness::read_vertices(path, contents(path), system.given)))
      system.random[v] = true;
  }
  if (settings.given(OptionId::kRandomShare))
    draw_random(system, random_share(settings), *settings.number(OptionId::kSeed));
}

Question automaton_question(const TransitionSystem& system, const Settings& settings) {
  const std::string path(settings.text(OptionId::kAutomaton));
  const std::string text = contents(path);
  const OmegaAutomaton automaton = unwrap(fairness::read_hoa(path, text));
  SourceMap sources;
  sources.add(path, text);
  const auto complain = [&](std::string message, std::string hint) {
    throw Failed{
        InputError{sources,
                   {{Severity::kError, std::move(message), automaton.acceptance_position, std::move(hint)}},
                   ""}};
  };
  if (!settings.flag(OptionId::kQuiet))
    for (const std::string& name : fairness::strange_propositions(system, automaton))
      print_error(render(
          {Severity::kWarning,
           fmt::format("the proposition '{}' never holds: the system has no such label or action", name),
           automaton.acceptance_position, ""},
          sources));
  const bool negate = settings.flag(OptionId::kNegate);
  const auto clauses = fairness::streett_clauses(automaton, negate);
  if (!clauses)
    complain(negate ? "the negation of this acceptance condition is not a Streett condition"
                    : "this acceptance condition is not a Streett condition",
             fairness::streett_clauses(automaton, !negate)
                 ? negate ? "the condition itself is one: leave --negate out"
                          : "its negation is one: --negate asks for the plays that the automaton rejects"
                 : "");
  const bool chance = std::find(system.random.begin(), system.random.end(), true) != system.random.end();
  if (negate || chance)
    if (const auto state = fairness::nondeterministic_state(system, automaton))
      complain(fmt::format("{} needs an automaton that is deterministic and complete, and state {} is not",
                           negate ? "--negate" : "a system with chance", *state),
               "");
  return fairness::product(system, automaton, *clauses);
}

Question named_question(const TransitionSystem& system, const Settings& settings) {
  std::vector<fairness::NamedPair> pairs;
  for (const std::string& text : settings.list(OptionId::kPair)) {
    auto pair = fairness::parse_named_pair(text);
    if (!pair) usage(fmt::format("--pair needs REQUEST=>GRANT, not '{}'", text));
    pairs.push_back(std::move(*pair));
  }
  std::string missing;
  auto question = fairness::named_question(system, pairs, missing);
  if (!question) usage(fmt::format("--pair: the system has no label or action '{}'", missing));
  return std::move(*question);
}

Question read_question(const CommandLine& line) {
  const Settings& settings = line.settings;
  TransitionSystem system = read_system(line);
  if (system.given == 0) usage(fmt::format("{}: the system has no states", line.file));
  add_chance(system, settings);
  if (settings.given(OptionId::kAutomaton)) {
    if (settings.given(OptionId::kPair) || settings.given(OptionId::kPairs))
      usage("--automaton cannot be combined with --pair and --pairs");
    return automaton_question(system, settings);
  }
  if (settings.flag(OptionId::kNegate)) usage("--negate belongs to --automaton");
  Question question = named_question(system, settings);
  if (settings.given(OptionId::kPairs)) {
    const std::string path(settings.text(OptionId::kPairs));
    for (StreettPair& pair : unwrap(fairness::read_pairs(path, contents(path), system.given)))
      question.pairs.push_back(std::move(pair));
  }
  return question;
}

StreettOptions streett_options(const Settings& settings) {
  StreettOptions options;
  if (settings.text(OptionId::kFairAlgorithm) == "basic") options.algorithm = fairness::Algorithm::kBasic;
  const std::string_view threshold = settings.text(OptionId::kThreshold);
  if (threshold == "bound") {
    options.threshold.kind = Threshold::Kind::kBound;
  } else if (threshold == "log") {
    options.threshold.kind = Threshold::Kind::kLogarithm;
  } else if (threshold != "adaptive") {
    const auto number = settings.number(OptionId::kThreshold);
    if (!number)
      usage(fmt::format("--threshold cannot be '{}'", threshold),
            "possible are adaptive, log, bound, and a number");
    options.threshold = {Threshold::Kind::kNumber, *number};
  }
  return options;
}

void set_figures(Statistics& statistics, const Question& question, const StreettResult& result) {
  const fairness::StreettFigures& figures = result.figures;
  statistics.set("vertices", std::uint64_t{question.arena.vertices()});
  statistics.set("edges", std::uint64_t{question.arena.edges()});
  statistics.set("pairs", std::uint64_t{question.pairs.size()});
  statistics.set("symbolic_steps", figures.first_steps + figures.search_steps + figures.reach_steps);
  statistics.set("first_steps", figures.first_steps);
  statistics.set("search_steps", figures.search_steps);
  statistics.set("reach_steps", figures.reach_steps);
  statistics.set("build_seconds", figures.build_seconds);
  statistics.set("first_seconds", figures.first_seconds);
  statistics.set("search_seconds", figures.search_seconds);
  statistics.set("reach_seconds", figures.reach_seconds);
  statistics.set("bdd_nodes", figures.nodes);
  statistics.set("good_components", std::uint64_t{result.components.size()});
}

// What shows the answer, checked on the explicit arena.
void add_plays(FairnessReport& report, const Question& question, const StreettResult& result) {
  std::string mistake;
  if (report.chance) {
    report.strategy = fairness::find_strategy(question.arena, result);
    mistake = strategy_mistake(question.arena, question.pairs, result.winning, *report.strategy);
  } else if (report.fair()) {
    report.lasso = fairness::find_lasso(question.arena, question.pairs, result, question.arena.initial);
    mistake = lasso_mistake(question.arena, question.pairs, question.arena.initial, *report.lasso);
  }
  if (!mistake.empty()) throw InternalError("the answer fails its check: " + mistake);
}

FairnessReport solve(const Question& question, const Settings& settings, Context& context) {
  const StreettOptions options = streett_options(settings);
  FairnessReport report{question.arena, std::string(settings.text(OptionId::kFairAlgorithm))};
  report.chance = question.arena.has_random();
  report.list = settings.flag(OptionId::kListWinning);
  StreettResult result = fairness::solve_streett(question.arena, question.pairs, options, &context);
  set_figures(report.statistics, question, result);
  report.winning = result.winning;
  if (result.complete)
    add_plays(report, question, result);
  else
    report.stopped = describe(context.stop_reason());
  return report;
}

std::string report_text(const FairnessReport& report, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return fairness_json(report, run);
  if (settings.flag(OptionId::kQuiet)) return fairness_verdict_line(report, shown);
  return fairness_text(report, run, shown) +
         (settings.flag(OptionId::kVerbose) ? statistics_text(report.algorithm, report.statistics) : "");
}

// Programs.

std::vector<ThreadLocation> places(const Program& program, const Settings& settings, OptionId option,
                                   std::string_view name) {
  std::vector<ThreadLocation> result;
  for (const std::string& text : settings.list(option)) {
    const auto found = verify::find_places(program, text);
    if (!found) usage(fmt::format("{} {}: {}", name, text, found.error().message), found.error().hint);
    result.insert(result.end(), found.value().begin(), found.value().end());
  }
  if (result.empty())
    usage(fmt::format("weir fair needs {} PLACES for a program", name),
          "as in --request P0:want --grant P0:cs");
  return result;
}

std::string place_names(const Program& program, const std::vector<ThreadLocation>& places) {
  std::string out;
  for (const ThreadLocation& place : places)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ", ", program.thread(place.thread).name,
                       program.location_name(place.location));
  return out;
}

// One for each thread that requests.
std::vector<fairness::Response> responses(const Program& program, const Settings& settings) {
  const auto requests = places(program, settings, OptionId::kRequest, "--request");
  const auto grants = places(program, settings, OptionId::kGrant, "--grant");
  std::vector<fairness::Response> result;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const auto own = [&](const std::vector<ThreadLocation>& all) {
      std::vector<ThreadLocation> found;
      for (const ThreadLocation& place : all)
        if (place.thread.index() == t) found.push_back(place);
      return found;
    };
    fairness::Response response{own(requests), own(grants), ""};
    if (response.request.empty()) continue;
    if (response.grant.empty()) response.grant = grants;
    response.name = fmt::format("{} leads to {}", place_names(program, response.request),
                                place_names(program, response.grant));
    result.push_back(std::move(response));
  }
  return result;
}

fairness::Scheduler scheduler(std::string_view name) {
  if (name == "none") return fairness::Scheduler::kAny;
  if (name == "strong") return fairness::Scheduler::kStrong;
  return name == "random" ? fairness::Scheduler::kDice : fairness::Scheduler::kWeak;
}

fairness::StarvationOptions starvation_options(const Settings& settings, Model model) {
  fairness::StarvationOptions options;
  options.model = model;
  options.scheduler = scheduler(settings.text(OptionId::kFairness));
  options.fair_flushes = !settings.flag(OptionId::kLazyFlushes);
  if (const auto buffer = settings.number(OptionId::kBuffer)) {
    if (*buffer == 0 || *buffer > 1000) usage("--buffer needs a number from 1 to 1000");
    options.buffer = static_cast<std::uint32_t>(*buffer);
  }
  options.local_steps = *settings.number(OptionId::kLocalSteps);
  options.streett = streett_options(settings);
  return options;
}

std::string report_text(const Program& program, const Answer& answer, const RunInfo& run,
                        const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return json_report(program, answer, run, shown);
  if (settings.flag(OptionId::kQuiet)) return verdict_line(answer, run, shown);
  return text_report(program, answer, run, shown) +
         (settings.flag(OptionId::kVerbose) ? statistics_text(answer) : "");
}

int check_program_fairness(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  const Model model = *parse_model(settings.text(OptionId::kModel));
  const Program program = unwrap(load_program(line, session));
  if (const auto error = check_focus(program, settings)) return fail_usage(line, *error);
  const auto asked = responses(program, settings);
  const fairness::StarvationOptions options = starvation_options(settings, model);
  RunInfo run = run_info(line, model);
  session.enter("searching");
  const Answer answer = fairness::check_starvation(program, asked, options, session.context());
  note_cost(run, session.context());
  if (answer.witness) verify::confirm(program, *answer.witness);
  const int code = exit_code(answer.verdict);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  session.answer(report_text(program, answer, run, settings), code);
  deliver(line, [&] { return write_files(line, program, answer.witness ? &*answer.witness : nullptr); });
  deliver(line,
          [&] { return write_html(run, settings, [&] { return explorer_page(program, answer, run); }); });
  deliver(line, [&] { return write_sarif(program, answer, run, code, settings); });
  return code;
}

bool is_system(const std::string& file) { return file.ends_with(".aut") || file.ends_with(".tra"); }

}  // namespace

int run_fair(const CommandLine& line, Session& session) {
  try {
    if (!is_system(line.file)) return check_program_fairness(line, session);
    if (line.files.size() > 1) return fail_usage(line, {"weir fair takes one system", ""});
    if (line.settings.given(OptionId::kHtml))
      return fail_usage(line,
                        {"--html shows executions of programs, and this is a system", "leave --html out"});
    if (line.settings.given(OptionId::kSarif)) usage("--sarif is about programs, not about systems");
    RunInfo run = run_info(line, Model::kSc);
    const Question question = read_question(line);
    const FairnessReport report = solve(question, line.settings, session.context());
    note_cost(run, session.context());
    return session.answer(report_text(report, run, line.settings), exit_code(report));
  } catch (const Failed& failed) {
    if (const auto* usage = std::get_if<UsageError>(&failed)) return fail_usage(line, *usage);
    return fail_input(line, std::get<InputError>(failed));
  }
}

#endif

}  // namespace weir::cli
