#include "cli/checkpoints.hpp"

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "cli/commands/commands.hpp"
#include "cli/session.hpp"

namespace weir::cli {

bool wants_checkpoints(const Settings& settings) {
  return settings.given(OptionId::kCheckpoint) || settings.given(OptionId::kResume);
}

std::optional<UsageError> check_checkpoint_options(const Settings& settings) {
  if (settings.given(OptionId::kCheckpointInterval) && !wants_checkpoints(settings))
    return UsageError{"--checkpoint-interval is for --checkpoint and --resume", ""};
  const bool both = settings.given(OptionId::kCheckpoint) && settings.given(OptionId::kResume);
  if (both && settings.text(OptionId::kCheckpoint) != settings.text(OptionId::kResume))
    return UsageError{"--checkpoint and --resume name different folders",
                      "a search that is resumed keeps its checkpoints where they were"};
  return std::nullopt;
}

Expected<std::unique_ptr<Checkpoint>> open_checkpoint(const CommandLine& line, std::string_view engine,
                                                      std::string_view program) {
  const Settings& settings = line.settings;
  if (!wants_checkpoints(settings)) return std::unique_ptr<Checkpoint>();
  const bool resume = settings.given(OptionId::kResume);
  const Checkpoint::Options options{
      .folder = std::string(settings.text(resume ? OptionId::kResume : OptionId::kCheckpoint)),
      .interval = std::chrono::duration<double>(settings.seconds(OptionId::kCheckpointInterval).value()),
      .resume = resume};
  CheckpointFacts facts = {
      {"Weir", version()}, {"program", sha256(program)}, {"--engine", std::string(engine)}};
  for (auto& option : settings.of_the_question(line.command)) facts.push_back(std::move(option));
  auto opened = Checkpoint::open(options, std::move(facts));
  if (!opened.ok())
    return InputError{{}, {{Severity::kError, opened.error().message, {}, opened.error().hint}}, ""};
  if (resume && !opened.value()->found())
    tell({Severity::kWarning,
          fmt::format("there is no checkpoint in {} yet: the search begins from the start",
                      options.folder.string()),
          {},
          ""},
         settings);
  return std::move(opened.value());
}

void tell_about(const Checkpoint* checkpoint, const Settings& settings) {
  if (checkpoint == nullptr || checkpoint->problem().empty()) return;
  tell({Severity::kWarning,
        fmt::format("the last checkpoint could not be written: {}", checkpoint->problem()),
        {},
        ""},
       settings);
}

}  // namespace weir::cli
