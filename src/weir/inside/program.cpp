#include "weir/program.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/address.hpp"
#include "program/array/text.hpp"
#include "program/source_terms.hpp"
#include "program/text/text.hpp"
#include "program/variables.hpp"
#include "verify/restrictions.hpp"
#include "weir/inside/content.hpp"

namespace weir::v1 {

namespace {

constexpr std::string_view kArray = "array";

weir::COptions c_options(const COptions& options) {
  constexpr std::int64_t kMostChoices = 65'536;
  const std::int64_t low = options.nondet_low, high = options.nondet_high;
  if (low > high) fail_usage(fmt::format("there is no value from {} to {}", low, high));
  if (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) >= kMostChoices)
    fail_usage(fmt::format("from {} to {} are too many values: each is tried", low, high),
               fmt::format("there can be at most {}", kMostChoices));
  if (options.threads > kMostAllocatingThreads)
    fail_usage(fmt::format("there can be at most {} threads", kMostAllocatingThreads));
  return {.compiler_arguments = options.compiler_arguments,
          .unroll = options.unroll,
          .nondet_low = low,
          .nondet_high = high,
          .spurious_wakeups = options.spurious_wakeups,
          .failing_malloc = options.failing_malloc,
          .strict = options.strict,
          .threads = options.threads};
}

void check_language(const std::string& language) {
  if (language == "auto" || language == kArray || verify::find_language(language) != nullptr) return;
  std::string known(kArray);
  for (const verify::Language& candidate : verify::languages()) known += ", " + std::string(candidate.name);
  fail_usage(fmt::format("there is no language '{}'", language), "languages are " + known);
}

void check_parts(const verify::Source& source) {
  for (const std::string& file : source.files)
    if (source.language != "c" && !is_c_path(file))
      fail_usage("several files must be parts of one C program", fmt::format("'{}' is no C file", file));
}

verify::Source source(const std::vector<Input>& files, const LoadOptions& options) {
  if (files.empty()) fail_usage("there is no file");
  check_language(options.language);
  verify::Source result{.language = options.language};
  for (const Input& file : files) {
    result.files.push_back(file.name);
    if (file.text) result.texts[file.name] = *file.text;
  }
  result.dialect.outside_range = options.fail_outside_range ? OutsideRange::kFails : OutsideRange::kBlocks;
  result.c = c_options(options.c);
  if (files.size() > 1) check_parts(result);
  return result;
}

bool names_array_system(const verify::Source& source) {
  return source.language == kArray || (source.language == "auto" && verify::is_array_path(source.files[0]));
}

array::ArraySystem load_system(const verify::Source& source) {
  const std::string& path = source.files.front();
  const auto known = source.texts.find(path);
  return unwrap(known == source.texts.end() ? verify::load_array_system(path)
                                            : verify::load_array_text(path, known->second));
}

Result<Program> load_files(const std::vector<Input>& files, const LoadOptions& options) {
  return answered(options.run, [&](Call& call) {
    auto content = std::make_shared<Program::Content>(source(files, options), options);
    if (names_array_system(content->source)) {
      content->system = load_system(content->source);
      content->language = kArray;
    } else {
      content->program = content->read(kForCheck, call);
      content->language = content->program->language->name;
    }
    return Program(std::move(content));
  });
}

const SourceMap& sources(const Program::Content& content) {
  return content.system ? content.system->sources : content.program->program.sources;
}

}  // namespace

Result<Program> Program::load(const Input& file, const LoadOptions& options) {
  return load_files({file}, options);
}

Result<Program> Program::load_together(const std::vector<Input>& files, const LoadOptions& options) {
  return load_files(files, options);
}

Program::Program(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

const std::string& Program::language() const { return content_->language; }

bool Program::is_array_system() const { return content_->system.has_value(); }

std::vector<std::string> Program::files() const {
  std::vector<std::string> paths = content_->source.files;
  const SourceMap& map = sources(*content_);
  for (std::size_t i = 0; i < map.size(); ++i)
    if (const std::string& path = map.file(FileId(i)).path;
        path != kTermsPath && std::ranges::find(paths, path) == paths.end())
      paths.push_back(path);
  return paths;
}

std::vector<std::string> Program::threads() const {
  std::vector<std::string> names;
  if (is_array_system()) return names;
  for (const Thread& thread : content_->program->program.threads) names.push_back(thread.name);
  return names;
}

std::vector<std::string> Program::variables() const {
  if (!is_array_system()) return variable_names(content_->program->program);
  std::vector<std::string> names;
  for (const array::Symbol& symbol : content_->system->symbols) names.push_back(symbol.name);
  return names;
}

std::vector<std::string> Program::restrictions() const {
  return is_array_system() ? std::vector<std::string>() : content_->program->program.restrictions;
}

Result<std::string> Program::text(const std::string& language) const {
  return at_border([&]() -> std::string {
    if (is_array_system()) {
      if (language != kArray) fail_usage("an array system has no other form than its own", "ask for 'array'");
      return print_array_system(*content_->system);
    }
    const weir::Program& program = content_->program->program;
    const verify::Language* const found = verify::find_language(language);
    if (found == nullptr || found->print == nullptr)
      fail_usage(fmt::format("there is no form '{}' of a program", language));
    auto printed = found->print(program);
    if (!printed.ok()) fail_input({program.sources, std::move(printed.error()), ""});
    return std::move(*printed);
  });
}

}  // namespace weir::v1
