#include "verify/load.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "check/array/machine.hpp"
#include "frontend/array/array.hpp"
#include "program/array/instance.hpp"
#include "program/array/validate.hpp"
#include "program/validate.hpp"
#include "verify/c_module.hpp"
#include "verify/known_texts.hpp"

namespace weir::verify {

namespace {

constexpr std::uint32_t kMostProcesses = 64;  // of an instance

Expected<Program> validated(Expected<Program> program) {
  if (!program) return program;
  auto mistakes = validate(*program);
  if (!mistakes.empty()) return InputError{std::move(program->sources), std::move(mistakes)};
  return program;
}

// The compiler reads files whose suffix says that they are for it. Of others, the text is passed on.
std::optional<InputError> take_texts(Source& source) {
  for (const std::string& path : source.files) {
    if (is_c_path(path) || source.texts.contains(path)) continue;
    auto text = read_file(path);
    if (!text) return std::move(text.error());
    source.texts.emplace(path, std::move(*text));
  }
  return std::nullopt;
}

Expected<Loaded> load_compiled(Source source, Context& context) {
  if (auto problem = take_texts(source)) return std::move(*problem);
  for (const std::string& path : source.files)
    if (auto problem = reading_problem(path); problem && !source.texts.contains(path))
      return std::move(*problem);
  const KnownTexts texts(source);
  if (texts.problem()) return InputError{{}, {*texts.problem()}, ""};
  COptions options = source.c;
  options.context = &context;
  options.compiler_arguments.insert(options.compiler_arguments.end(), texts.arguments().begin(),
                                    texts.arguments().end());
  auto program = validated(load_by_c_module(texts.files(), options));
  if (!program) {
    texts.restore(program.error());
    return std::move(program.error());
  }
  texts.restore(*program);
  return Loaded{std::move(*program), find_language("c"), ""};
}

std::optional<InputError> no_text(const std::string& path, std::string_view text) {
  constexpr std::size_t kLookedAt = 4096;
  if (text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos)
    return about_file(path, "this file is empty");
  if (text.substr(0, kLookedAt).find('\0') != std::string_view::npos)
    return about_file(path, "this is a binary file, not the text of a program");
  return std::nullopt;
}

InputError not_recognised(const std::string& path, std::string_view text) {
  if (is_replay_file(path, text))
    return about_file(path, "this looks like a replay file, not like a program",
                      fmt::format("try: weir explain {}", path));
  if (is_array_path(path))
    return about_file(
        path, "this is a system of any number of processes, not a program",
        fmt::format("try: weir check {}; weir convert {} --processes 2 --to weir makes a program of two",
                    path, path));
  return about_file(
      path, "the format of this file is not known",
      "formats are weir (.weir), trencher (.trn, .txt), imp (.imp), rmm (.rmm), litmus (.litmus), array "
      "systems (.cub) and C (.c, .cpp, .i, .ll, .bc); "
      "--format chooses one of them");
}

}  // namespace

bool Source::compiled() const {
  const Language& compiled = *find_language("c");
  return language == compiled.name || (language == "auto" && compiled.owns(files.front()));
}

Expected<Loaded> load(const Source& source, Context& context) {
  if (source.compiled()) return load_compiled(source, context);
  const std::string& path = source.files.front();
  if (const auto known = source.texts.find(path); known != source.texts.end())
    return load_text(source, known->second);
  auto text = read_file(path);
  if (!text) return std::move(text.error());
  return load_text(source, std::move(*text));
}

Expected<Loaded> load_text(const Source& source, std::string text) {
  const std::string& path = source.files.front();
  if (auto problem = no_text(path, text)) return std::move(*problem);
  const bool replay = source.language == "auto" && is_replay_file(path, text);
  const Language* const language =
      source.language != "auto" ? find_language(source.language) : recognise(path, text);
  if (language == nullptr || language->compiled() || replay) return not_recognised(path, text);
  auto program = validated(language->parse(path, text, source.dialect));
  if (!program) return std::move(program.error());
  return Loaded{std::move(*program), language, std::move(text)};
}

Expected<Program> load_changed(const Source& source, const std::vector<FileEdits>& changes,
                               Context& context) {
  Source changed = source;
  for (const FileEdits& change : changes) changed.texts.insert_or_assign(change.path, change.after());
  auto loaded = load(changed, context);
  if (!loaded) return std::move(loaded.error());
  return std::move(loaded->program);
}

bool is_replay_file(std::string_view path, std::string_view text) {
  for (const Language& language : languages())
    if (language.owns(path)) return false;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return path.ends_with(".json") || (begin != std::string_view::npos && text[begin] == '{');
}

bool is_array_path(std::string_view path) { return path.ends_with(".cub"); }

Expected<array::ArraySystem> load_array_system(const std::string& path) {
  auto text = read_file(path);
  if (!text) return std::move(text.error());
  return load_array_text(path, std::move(*text));
}

Expected<array::ArraySystem> load_array_text(const std::string& path, std::string text) {
  auto system = parse_array_system(path, std::move(text));
  if (system) {
    const std::string problem = array::problem(*system);
    if (!problem.empty())
      throw InternalError("the array front end made a system that is not well formed: " + problem);
  }
  return system;
}

Expected<Program> array_instance(array::ArraySystem system, std::uint64_t processes) {
  const std::uint32_t least = array::least_processes(system);
  const std::uint32_t most = std::min(kMostProcesses, system.number_of_processes.value_or(kMostProcesses));
  if (processes < least || processes > most)
    return InputError{std::move(system.sources),
                      {{Severity::kError,
                        fmt::format("the system can be made a program for {} to {} processes{}", least, most,
                                    most < kMostProcesses ? ", as number_procs says" : ""),
                        {},
                        ""}}};
  auto program = array::instance_as_program(system, static_cast<std::uint32_t>(processes));
  if (!program) return InputError{std::move(system.sources), {program.error()}};
  return validated(std::move(*program));
}

}  // namespace weir::verify
