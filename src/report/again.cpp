#include "report/again.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/robust/fences/fence.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

bool is_plain(char c) {
  constexpr std::string_view kOthers = "_-./:=,+@%^";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos || (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::string start(const RunInfo& run, std::string_view command) {
  std::string out = "weir " + std::string(command);
  if (run.files.empty()) return out + " " + printable(run.file);
  for (const std::string& file : run.files) out += " " + shell_word(printable(file));
  return out;
}

std::string end(const RunInfo& run) {
  std::string out;
  for (const std::string& argument : run.compiler_arguments)
    out += (out.empty() ? " -- " : " ") + shell_word(printable(argument));
  return out;
}

bool is_about_instances(const GivenOption& option) {
  return option.text.starts_with("--instances") || option.text.starts_with("-n ");
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string ask_again(const RunInfo& run, std::string_view command, std::string_view options) {
  std::string out = start(run, command);
  if (!options.empty()) out += " " + std::string(options);
  for (const GivenOption& option : run.given)
    if (option.about_input && std::ranges::find(option.commands, command) != option.commands.end())
      out += " " + option.text;
  return out + end(run);
}

bool asks_for_any_number(const RunInfo& run) {
  return std::ranges::any_of(run.given, [](const GivenOption& option) {
    return is_about_instances(option) && option.text.ends_with("any");
  });
}

bool can_ask(const RunInfo& run, std::string_view command, Model model) {
  return std::ranges::all_of(run.given, [&](const GivenOption& option) {
    if (!is_about_instances(option)) return true;
    const bool has_it = std::ranges::find(option.commands, command) != option.commands.end();
    return has_it && (model != Model::kPso || !option.text.ends_with("any"));
  });
}

std::string ask_under(const RunInfo& run, Model model) {
  return ask_again(run, "check", fmt::format("--model {}", name(model)));
}

bool can_ask_for_fences(const RunInfo& run) {
  return buffers_stores(run.model) && can_ask(run, "fence", run.model) && !asks_for_any_number(run);
}

std::string ask_for_fences(const RunInfo& run) {
  const bool by_default = run.model == FenceOptions{}.model;
  return ask_again(run, "fence",
                   by_default ? "--for safety" : fmt::format("--for safety --model {}", name(run.model)));
}

std::string asked(const RunInfo& run) {
  std::string out = start(run, run.command);
  for (const GivenOption& option : run.given) out += " " + option.text;
  return out + end(run);
}

}  // namespace weir
