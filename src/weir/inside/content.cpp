#include "weir/inside/content.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "program/instances.hpp"

namespace weir::v1 {

namespace {

constexpr std::uint32_t kMostCopies = 1000;

// Nobody waits for a compilation of somebody else, which could not be cancelled: rather two do the same.
std::shared_ptr<const verify::Loaded> load_as(verify::Source source, const CReading& reading, Call& call) {
  source.c.process_ends = reading.process_ends;
  source.c.chance_failures = reading.chance;
  source.c.spurious_wakeups = source.c.spurious_wakeups && reading.chance;
  source.c.races = reading.races;
  auto loaded = verify::load(source, call.context());
  call.go_on();
  return std::make_shared<const verify::Loaded>(unwrap(std::move(loaded)));
}

}  // namespace

std::shared_ptr<const verify::Loaded> Program::Content::read(const CReading& reading, Call& call) const {
  if (system)
    fail_usage("a system of any number of processes is no program",
               "check answers about it, and makes it a program with a number of copies");
  if (!is_c() && program) return program;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [known, loaded] : readings_)
      if (known == reading) return loaded;
  }
  auto loaded = load_as(source, reading, call);
  const std::scoped_lock lock(mutex_);
  readings_.emplace_back(reading, loaded);
  return loaded;
}

weir::Program Program::Content::instance(const CReading& reading, std::uint32_t copies, Call& call) const {
  if (copies > kMostCopies)
    fail_usage(fmt::format("there can be at most {} copies of a thread", kMostCopies));
  if (system && copies > 0) return unwrap(verify::array_instance(*system, copies));
  if (copies > 0 && is_c())
    fail_usage("a C program creates its own threads, so they cannot be copied",
               "create as many as you want in main; COptions::threads bounds their number");
  const auto loaded = read(reading, call);
  return copies > 0 ? with_instances(loaded->program, copies) : loaded->program;
}

CSources Program::Content::c_sources() const {
  if (!is_c() || !source.texts.empty()) return {};
  std::error_code ignored;
  return {std::filesystem::current_path(ignored).string(), source.files, source.c.compiler_arguments};
}

}  // namespace weir::v1
