#include "verify/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/certificate_file.hpp"
#include "verify/engines.hpp"
#include "verify/proof.hpp"
#include "weir/inside/array.hpp"
#include "weir/inside/check_answer.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"

namespace weir::v1 {

namespace {

std::string names_of(std::span<const weir::Model> models) {
  std::vector<std::string_view> names;
  for (const weir::Model model : models) names.push_back(weir::name(model));
  return fmt::format("{}", fmt::join(names, " and "));
}

void check_engine(const verify::Question& question) {
  const verify::Engine* const engine = verify::find_engine(question.engine);
  if (question.engine == "auto") return;
  if (engine == nullptr) {
    std::vector<std::string_view> names{"auto"};
    for (const verify::Engine& known : verify::engines()) names.push_back(known.name);
    fail_usage(fmt::format("there is no engine '{}' for programs", question.engine),
               fmt::format("engines are {}", fmt::join(names, ", ")));
  }
  if (!engine->answers_under(question.model))
    fail_usage(fmt::format("the engine {} answers under {} only", engine->name, names_of(engine->models)));
  if (question.any_number && !engine->any_number)
    fail_usage(fmt::format("the engine {} answers for a given number of threads", engine->name));
}

void check_schedules(const verify::Question& question) {
  if (!question.random && !question.preemptions) return;
  if (question.random && question.preemptions)
    fail_usage("random schedules and a bound on preemptions do not go together");
  if (question.random && question.random->schedules == 0)
    fail_usage("there must be at least one random schedule");
  if (question.engine != "auto") fail_usage("schedules are tried instead of searching with an engine");
  if (question.any_number) fail_usage("schedules are those of a given number of threads");
}

void check_any_number(const verify::Question& question, const CheckOptions& options) {
  if (!question.any_number) return;
  if (options.copies > 0) fail_usage("either a number of copies or any number");
  const auto answers = [&](const verify::Engine& engine) {
    return engine.any_number && engine.answers_under(question.model);
  };
  if (std::ranges::none_of(verify::engines(), answers))
    fail_usage(
        fmt::format("no engine answers for any number of threads under {}", weir::name(question.model)));
}

verify::Question question(const weir::Program& program, const CheckOptions& options, unsigned jobs) {
  verify::Question result{.model = inside(options.model.value_or(Model::kSc)),
                          .engine = options.engine,
                          .any_number = options.any_number,
                          .values = value_limits(program, options.limits),
                          .local_steps = options.limits.local_steps,
                          .jobs = jobs,
                          .buffer = options.limits.buffer,
                          .preemptions = options.preemptions};
  if (options.random)
    result.random = {options.random->schedules, options.random->seed, options.random->most_steps};
  check_engine(result);
  check_schedules(result);
  check_any_number(result, options);
  if (options.certificate && !verify::find_engine("dual")->answers_under(result.model))
    fail_usage(fmt::format("there are no certificates under {}", weir::name(result.model)));
  return result;
}

RunInfo echoed(const Program& program, const CheckOptions& options, weir::Model model) {
  RunInfo info = run_info("check", program, model, options.run);
  echo_model(info);
  echo(info, "engine", options.engine);
  echo(info, options.properties);
  echo(info, options.limits);
  echo_copies(info, options.copies, options.any_number);
  if (options.random) {
    echo(info, "random", static_cast<std::int64_t>(options.random->schedules));
    echo(info, "seed", static_cast<std::int64_t>(options.random->seed));
    echo(info, "steps", static_cast<std::int64_t>(options.random->most_steps));
  }
  if (options.preemptions) echo(info, "bound-preemptions", static_cast<std::int64_t>(*options.preemptions));
  return info;
}

void warn_without_property(CheckAnswer& answer, const weir::Program& program, bool is_c) {
  if (is_c || verify::states_a_property(program)) return;
  add_shown(answer.warnings,
            {{weir::Severity::kWarning,
              "the program states no property, so only wrong memory accesses and divisions by zero can be "
              "found",
              {},
              "Properties adds some: goal, exclusive, invariants, deadlock"}},
            {});
}

void add_certificate(CheckAnswer& answer, const weir::Program& program, const verify::Question& asked,
                     Call& call) {
  const verify::Proof proof = verify::prove(program, asked, call.context());
  answer.no_certificate = proof.reason;
  if (proof.certificate) answer.certificate = write_certificate(program, *proof.certificate, version());
}

CheckAnswer check_program(const Program& program, const CheckOptions& options, Call& call) {
  const Program::Content& content = program.content();
  CReading reading = kForCheck;
  reading.races = options.properties.races;
  auto report = std::make_shared<CheckReport>();
  weir::Program& subject = report->program;
  subject = content.instance(reading, options.copies, call);
  add_properties(subject, options.properties);
  const verify::Question asked = question(subject, options, call.jobs());
  CheckAnswer answer;
  warn_without_property(answer, subject, content.is_c());
  report->answer = verify::check(subject, asked, call.context());
  report->run = echoed(program, options, asked.model);
  report->sources = content.c_sources();
  answer.threads = counts(report->answer.threads);
  answer_check(answer, answer.execution, report, call);
  if (options.certificate && answer.verdict == Verdict::kSafe) add_certificate(answer, subject, asked, call);
  return answer;
}

}  // namespace

Result<CheckAnswer> check(const Program& program, const CheckOptions& options) {
  return answered(options.run, [&](Call& call) {
    const bool any_number = program.is_array_system() && options.copies == 0;
    return any_number ? check_system(program, options, call) : check_program(program, options, call);
  });
}

}  // namespace weir::v1
