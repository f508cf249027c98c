// The one option table. It yields the CLI11 parser, --help, the manual pages, the completion of shells, the
// echo in the JSON answer, and the test that every option is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/answer_report.hpp"

namespace weir::cli {

enum class Command : std::uint8_t {
  kCheck,
  kRobust,
  kFence,
  kReplay,
  kExplain,
  kConvert,
  kOutcomes,
  kConsistent,
  kExplore,
  kGenerate,
  kFair,
  kSelfcheck,
  kBench,
  kDoctor,
};

struct CommandDescription {
  Command command;
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  std::string_view example;  // a command line
};

std::span<const CommandDescription> command_table();
const CommandDescription& describe(Command command);

enum class OptionId : std::uint8_t {
  kModel,
  kFenceModel,
  kOutcomesModels,
  kEngine,
  kAxiomatic,
  kInference,
  kAbstraction,
  kSearch,
  kReduction,
  kRandom,
  kSteps,
  kBoundPreemptions,
  kAlgorithm,
  kNoClosure,
  kRequest,
  kGrant,
  kFairness,
  kLazyFlushes,
  kPair,
  kPairs,
  kAutomaton,
  kNegate,
  kLabels,
  kRandomShare,
  kRandomVertices,
  kFairAlgorithm,
  kThreshold,
  kListWinning,
  kNoSymmetry,
  kNoLiveVariables,
  kBuffer,
  kLocalSteps,
  kGoal,
  kExclusive,
  kInvariant,
  kDeadlock,
  kNoDeadlock,
  kRaces,
  kLeaks,
  kNoSpurious,
  kFailingMalloc,
  kStrict,
  kUnroll,
  kNondetRange,
  kThreads,
  kTriangular,
  kInstances,
  kAll,
  kRange,
  kValues,
  kFor,
  kCost,
  kAlternatives,
  kPatch,
  kEmitInstrumented,
  kShow,
  kCrossCheck,
  kExecutionDot,
  kSvg,
  kCycle,
  kSize,
  kAllCycles,
  kOutputFolder,
  kEquivalence,
  kRoot,
  kWithout,
  kEstimate,
  kStop,
  kTo,
  kProcesses,
  kOutput,
  kWitness,
  kCertificate,
  kDot,
  kHtml,
  kSarif,
  kSvcompWitness,
  kNative,
  kDebugger,
  kFocus,
  kFrames,
  kPlot,
  kSuite,
  kSingle,
  kExpected,
  kJunit,
  kJson,
  kQuiet,
  kVerbose,
  kTimeout,
  kMemory,
  kJobs,
  kCheckpoint,
  kResume,
  kCheckpointInterval,
  kSeed,
  kColor,
  kFormat,
  kOutsideRange,
  kSelfcheckCount,
  kSelfcheckFirst,
  kSelfcheckEngines,
  kBenchEngines,
  kBenchAuto,
  kSelfcheckModels,
  kMostThreads,
  kMostVariables,
  kMostValues,
  kMostInstructions,
  kFeatures,
  kSelfcheckOutput,
  kCount
};

// kOptionalText: the value may be left out, and is "-" then.
// kMegabytes: a number, by itself or with K, M, G or T.
enum class OptionKind : std::uint8_t {
  kFlag,
  kChoice,
  kNumber,
  kSeconds,
  kMegabytes,
  kText,
  kOptionalText,
  kList
};

struct OptionDescription {
  OptionId id;
  std::string_view names;  // "-q,--quiet"; the last one is the name in the JSON echo
  OptionKind kind;
  std::string_view argument;  // the choices "sc|tso|pso", or the word shown in the help
  std::string_view fallback;  // the default; empty if there is none
  std::uint16_t commands;     // a bit per Command
  std::string_view help;
};

std::span<const OptionDescription> option_table();
bool applies(const OptionDescription& option, Command command);
// "--quiet"
std::string_view long_name(const OptionDescription& option);

// The values of one command line.
class Settings {
 public:
  void set(OptionId id, std::vector<std::string> values);

  bool flag(OptionId id) const { return given(id); }
  bool given(OptionId id) const { return !values_[index(id)].empty(); }
  // The value given, or the default.
  std::string_view text(OptionId id) const;
  const std::vector<std::string>& list(OptionId id) const { return values_[index(id)]; }
  std::optional<std::uint64_t> number(OptionId id) const;
  std::optional<double> seconds(OptionId id) const;
  std::optional<std::uint64_t> megabytes(OptionId id) const;

  // Everything given or with a default, for the JSON answer.
  std::vector<std::pair<std::string, OptionValue>> echo(Command command) const;

  // The values, given or not, of all that can change the answer, except the engine.
  std::vector<std::pair<std::string, std::string>> of_the_question(Command command) const;

  // Those given that can change the answer; not those that say where it goes, or how long to look for it.
  std::vector<GivenOption> given_options() const;

 private:
  static std::size_t index(OptionId id) { return static_cast<std::size_t>(id); }

  std::vector<std::string> values_[static_cast<std::size_t>(OptionId::kCount)];
};

}  // namespace weir::cli
