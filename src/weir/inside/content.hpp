// What a Program of the library holds: where it came from, and the programs that were read from that. What a C
// program is depends a little on the question, so each way to read it is compiled when it is first needed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "program/array/system.hpp"
#include "trace/replay_file.hpp"
#include "verify/load.hpp"
#include "weir/inside/call.hpp"
#include "weir/program.hpp"

namespace weir::v1 {

// How a C program is read for a question.
struct CReading {
  bool process_ends = false;  // when main returns; only whether something goes wrong depends on it
  bool chance = true;         // what may fail without a reason does so, too
  bool races = false;
  friend bool operator==(const CReading&, const CReading&) = default;
};
inline constexpr CReading kForCheck{.process_ends = true};

struct Program::Content {
  Content(verify::Source origin, LoadOptions as_given)
      : source(std::move(origin)), options(std::move(as_given)) {}

  verify::Source source;
  LoadOptions options;
  std::string language;
  std::optional<array::ArraySystem> system;       // … or
  std::shared_ptr<const verify::Loaded> program;  // as it is read for `check`

  bool is_c() const { return source.compiled(); }
  // Fails for array systems.
  std::shared_ptr<const verify::Loaded> read(const CReading& reading, Call& call) const;
  // The same with copies of each thread; of array systems, processes. 0: as it is written.
  weir::Program instance(const CReading& reading, std::uint32_t copies, Call& call) const;
  // Of its source, as far as how a replay file is to name its files.
  CSources c_sources() const;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<CReading, std::shared_ptr<const verify::Loaded>>> readings_;
};

}  // namespace weir::v1
