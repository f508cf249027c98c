#include "weir/inside/echo.hpp"

#include <fmt/format.h>

#include "report/again.hpp"
#include "weir/inside/content.hpp"

namespace weir::v1 {

namespace {

using Commands = std::vector<std::string>;

const Commands kReading = {"check", "explain", "robust", "fence", "outcomes", "explore", "convert", "fair"};
const Commands kSpecifying = {"check", "explain", "fence", "convert"};
const Commands kValuing = {"check", "explain", "robust", "fence", "outcomes"};
const Commands kCopying = {"check", "robust"};

// A word about the input, which suggested commands repeat.
void repeat(RunInfo& info, const std::string& name, const std::string& value, const Commands& commands) {
  info.given.push_back({.text = "--" + name + (value.empty() ? "" : " " + shell_word(value)),
                        .about_input = true,
                        .commands = commands});
}

void flag(RunInfo& info, const std::string& name, bool given, const Commands& commands) {
  echo(info, name, given);
  if (given) repeat(info, name, "", commands);
}

void number(RunInfo& info, const std::string& name, std::uint64_t value, const Commands& commands) {
  if (value == 0) return;
  echo(info, name, static_cast<std::int64_t>(value));
  repeat(info, name, std::to_string(value), commands);
}

void list(RunInfo& info, const std::string& name, const std::vector<std::string>& values,
          const Commands& commands) {
  echo(info, name, values);
  for (const std::string& value : values) repeat(info, name, value, commands);
}

void echo_c(RunInfo& info, const COptions& options) {
  flag(info, "no-spurious-wakeups", !options.spurious_wakeups, kReading);
  flag(info, "failing-malloc", options.failing_malloc, kReading);
  flag(info, "strict", options.strict, kReading);
  number(info, "unroll", options.unroll, kReading);
  number(info, "threads", options.threads, kReading);
  const std::string range = fmt::format("{}..{}", options.nondet_low, options.nondet_high);
  echo(info, "nondet-range", range);
  if (options.nondet_low != COptions{}.nondet_low || options.nondet_high != COptions{}.nondet_high)
    repeat(info, "nondet-range", range, kReading);
}

void echo_run(RunInfo& info, const RunOptions& run) {
  if (run.timeout) echo(info, "timeout", run.timeout->count());
  if (run.memory) echo(info, "memory", static_cast<std::int64_t>(*run.memory >> 20));
  if (run.jobs > 0) echo(info, "jobs", static_cast<std::int64_t>(run.jobs));
}

}  // namespace

RunInfo run_info(std::string command, const Program& program, weir::Model model, const RunOptions& run) {
  const Program::Content& content = program.content();
  RunInfo info = run_info(std::move(command), Input(content.source.files.front()), model, run);
  info.files = content.source.files;
  const std::string& language = content.options.language;
  echo(info, "format", language);
  if (language != "auto") repeat(info, "format", language, kReading);
  if (!content.is_c()) return info;
  info.compiler_arguments = content.source.c.compiler_arguments;
  echo_c(info, content.options.c);
  return info;
}

RunInfo run_info(std::string command, const Input& input, weir::Model model, const RunOptions& run) {
  RunInfo info{.command = std::move(command), .file = input.name, .version = version()};
  info.model = model;
  echo_run(info, run);
  return info;
}

void echo(RunInfo& info, std::string name, OptionValue value) {
  info.options.emplace_back(std::move(name), std::move(value));
}

void echo_model(RunInfo& info) { echo(info, "model", std::string(weir::name(info.model))); }

void echo(RunInfo& info, const Properties& properties) {
  list(info, "goal", properties.goal, kSpecifying);
  list(info, "exclusive", properties.exclusive, kSpecifying);
  list(info, "invariant", properties.invariants, kSpecifying);
  flag(info, "deadlock", properties.deadlock == true, kSpecifying);
  flag(info, "no-deadlock", properties.deadlock == false, kSpecifying);
  flag(info, "races", properties.races, kSpecifying);
  flag(info, "leaks", properties.leaks, kSpecifying);
}

void echo(RunInfo& info, const Limits& limits) {
  std::vector<std::string> ranges;
  for (const Range& range : limits.ranges)
    ranges.push_back(fmt::format("{}={}:{}", range.variable, range.low, range.high));
  list(info, "range", ranges, kValuing);
  if (limits.values) echo(info, "values", static_cast<std::int64_t>(*limits.values));
  if (limits.buffer) echo(info, "buffer", static_cast<std::int64_t>(*limits.buffer));
  echo(info, "local-steps", static_cast<std::int64_t>(limits.local_steps));
}

void echo_copies(RunInfo& info, std::uint32_t copies, bool any_number) {
  if (copies == 0 && !any_number) return;
  const std::string text = any_number ? "any" : std::to_string(copies);
  echo(info, "instances", text);
  repeat(info, "instances", text, kCopying);
}

void note_cost(RunInfo& info, Call& call) {
  info.seconds = call.context().seconds();
  info.peak_bytes = peak_memory();
}

}  // namespace weir::v1
