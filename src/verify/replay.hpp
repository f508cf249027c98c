// Executions that were saved: run again on the reference machine, and written so that they can be.
#pragma once

#include <string>
#include <string_view>

#include "engine/answer.hpp"
#include "trace/replay_file.hpp"

namespace weir::verify {

// The answer that the file holds, which is `unsafe`. An error if its steps are not possible or do not lead to
// the violation, or if the file is not as Weir wrote it. `path` is only used in messages.
Expected<Answer> replay_again(const ReplayFile& file, const std::string& path);

// The text of a replay file that was read again and replayed. `path` is only used in messages.
std::string replayable(const Program& program, const Witness& witness, std::string_view version,
                       const CSources& c_sources, const std::string& path);

}  // namespace weir::verify
