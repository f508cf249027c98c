#include "verify/replay.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "check/replay.hpp"

namespace weir::verify {

Expected<Answer> replay_again(const ReplayFile& file, const std::string& path) {
  const ReplayResult result = replay(file.program, file.witness);
  if (!result.reproduced)
    return about_file(path, fmt::format("the execution in this file cannot be replayed: {}", result.failure),
                      "was the file edited, or written by another version of Weir?");
  // The steps are possible, but words and sources need not be those of the violation.
  if (file.changed)
    return about_file(path, "this file was changed after Weir wrote it",
                      "write it again: weir check PROGRAM --witness FILE");
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "reference"};
  answer.reason = "replayed on the reference machine";
  answer.witness = file.witness;
  answer.statistics.set("transitions", static_cast<std::uint64_t>(file.witness.steps.size()));
  return answer;
}

std::string replayable(const Program& program, const Witness& witness, std::string_view version,
                       const CSources& c_sources, const std::string& path) {
  std::string text = write_replay(program, witness, version, c_sources);
  auto file = read_replay(path, text);
  if (!file)
    throw InternalError("the replay file cannot be read again: " +
                        render(file.error().diagnostics.front(), file.error().sources));
  if (const ReplayResult result = replay(file->program, file->witness); !result.reproduced)
    throw InternalError("the replay file does not reproduce the violation: " + result.failure);
  return text;
}

}  // namespace weir::verify
