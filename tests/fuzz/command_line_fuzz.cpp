// A libFuzzer target for the command line itself: command_line_fuzz --front=NAME [OPTIONS OF LIBFUZZER]
// [CORPUS]
//
// An input is the text of a file in the language NAME, and, behind its last NUL, bytes that choose the
// command and its options from the option table; without a NUL the command is the first one. Both go to the
// function that main() calls, in this process, with short limits. A crash, what a sanitizer reports, an
// internal error, and a run that does not end by itself when its time is over are failures.
// `--front=arguments` takes the input for the words of a command line.
//
// The fuzzer runs in the sandbox of the compiler: it can write below the folder it is started in, and nowhere
// else.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "base/process/sandbox.hpp"
#include "cli/entry.hpp"
#include "cli/options/options.hpp"
#include "report/exit_code.hpp"

namespace weir::fuzz {

namespace {

using cli::Command;
using cli::OptionDescription;
using cli::OptionId;
using cli::OptionKind;

struct FrontEnd {
  std::string_view name, file;
  std::vector<Command> commands;
  std::vector<std::string> always;  // words of every command line
};

const std::vector<Command> kOfPrograms = {Command::kConvert,  Command::kCheck,   Command::kRobust,
                                          Command::kFence,    Command::kExplain, Command::kExplore,
                                          Command::kOutcomes, Command::kFair};

const std::array kFrontEnds = {
    FrontEnd{"imp", "input.imp", kOfPrograms, {}},
    FrontEnd{"rmm", "input.rmm", kOfPrograms, {}},
    FrontEnd{"trencher", "input.trn", kOfPrograms, {}},
    FrontEnd{"weir", "input.weir", kOfPrograms, {}},
    FrontEnd{"litmus", "input.litmus", {Command::kConvert, Command::kOutcomes, Command::kCheck}, {}},
    FrontEnd{"array", "input.cub", {Command::kConvert, Command::kCheck, Command::kExplain}, {}},
    FrontEnd{"aut", "input.aut", {Command::kFair}, {"--pair", "a=>b"}},
    FrontEnd{"tra", "input.tra", {Command::kFair}, {"--pair", "a=>b", "--labels", "system.lab"}},
    FrontEnd{"pairs", "system.aut", {Command::kFair}, {"--pairs", "input.pairs"}},
    FrontEnd{"automaton", "system.aut", {Command::kFair}, {"--automaton", "input.hoa"}},
    FrontEnd{"consistency", "input.json", {Command::kConsistent}, {}},
    FrontEnd{"replay", "input.json", {Command::kReplay, Command::kExplain}, {}},
    FrontEnd{"llvm", "input.ll", kOfPrograms, {}},
    FrontEnd{"c", "input.c", kOfPrograms, {}},
    FrontEnd{"arguments", "", {}, {}},
};

// Compiling, and reading a module in a copy of the process, take longer than the search may.
constexpr std::string_view kTime = "0.05", kTimeOfC = "5", kMemory = "3000";

// Files that some command lines name besides the input.
constexpr std::string_view kSystem =
    "des (0, 4, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(2, \"a\", 0)\n(1, \"a\", 1)\n";
constexpr std::string_view kLabels = "0=\"init\" 1=\"a\" 2=\"b\"\n0: 0\n1: 1\n2: 2\n";

// They run programs, start other processes, take longer than asked, or have no input.
constexpr std::array kLeftOut = {OptionId::kNative,        OptionId::kDebugger,  OptionId::kSuite,
                                 OptionId::kJunit,         OptionId::kExpected,  OptionId::kPlot,
                                 OptionId::kTimeout,       OptionId::kMemory,    OptionId::kJobs,
                                 OptionId::kPairs,         OptionId::kAutomaton, OptionId::kLabels,
                                 OptionId::kRandomVertices};
constexpr std::array kWrites = {OptionId::kWitness,
                                OptionId::kCertificate,
                                OptionId::kDot,
                                OptionId::kExecutionDot,
                                OptionId::kSvg,
                                OptionId::kHtml,
                                OptionId::kSarif,
                                OptionId::kSvcompWitness,
                                OptionId::kPatch,
                                OptionId::kOutput,
                                OptionId::kEmitInstrumented};
constexpr std::array kTexts = {"x", "0",   "1",      "P0:cs",   "x=0:2", "x + y <= 1", "0:EAX=0", "set",
                               "2", "any", "sc,tso", "P:1,Q:1", ""};
constexpr std::size_t kMostOptions = 6;
constexpr std::size_t kFavour = 4;  // of the first command, which does not search, and so is the fastest

template <std::size_t kCount>
bool is_among(const std::array<OptionId, kCount>& list, OptionId id) {
  return std::ranges::find(list, id) != list.end();
}

// Bytes that choose; zero when there are none left.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  std::size_t below(std::size_t count) {
    const auto byte = bytes_.empty() ? 0u : static_cast<unsigned char>(bytes_.front());
    if (!bytes_.empty()) bytes_.remove_prefix(1);
    return byte % count;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string value_of(const OptionDescription& option, Choices& choices) {
  if (is_among(kWrites, option.id)) return "output";
  switch (option.kind) {
    case OptionKind::kNumber: return std::to_string(choices.below(6));
    case OptionKind::kChoice: {
      const auto words = parts_of(option.argument, "|");
      return words[choices.below(words.size())];
    }
    default: return kTexts[choices.below(kTexts.size())];
  }
}

std::vector<const OptionDescription*> usable_options(Command command) {
  std::vector<const OptionDescription*> found;
  for (const OptionDescription& option : cli::option_table())
    if (cli::applies(option, command) && !is_among(kLeftOut, option.id)) found.push_back(&option);
  return found;
}

std::vector<std::string> command_line(const FrontEnd& front, Choices choices) {
  const std::size_t choice = choices.below(kFavour * front.commands.size());
  const Command command = front.commands[choice < front.commands.size() ? choice : 0];
  std::vector<std::string> words{std::string(cli::describe(command).name), std::string(front.file)};
  words.insert(words.end(), front.always.begin(), front.always.end());
  const auto options = usable_options(command);
  std::set<const OptionDescription*> given;
  for (std::size_t i = 0; i < kMostOptions && !choices.empty(); ++i) {
    const OptionDescription& option = *options[choices.below(options.size())];
    if (!given.insert(&option).second) continue;
    words.emplace_back(cli::long_name(option));
    if (option.kind != OptionKind::kFlag) words.push_back(value_of(option, choices));
  }
  if (command == Command::kConvert &&
      !std::ranges::any_of(words, [](const auto& word) { return word == "--to"; }))
    words.insert(words.end(), {"--to", "weir"});
  words.insert(words.end(),
               {"--timeout", std::string(front.name == "c" || front.name == "llvm" ? kTimeOfC : kTime),
                "--memory", std::string(kMemory)});
  for (const OptionDescription& option : cli::option_table())
    if (option.id == OptionId::kJobs && cli::applies(option, command))
      words.insert(words.end(), {"--jobs", "1"});
  return words;
}

// A whole command line; what it must not ask for is left out.
std::vector<std::string> given_command_line(std::string_view text) {
  std::vector<std::string> words = parts_of(text, " \n");
  std::erase_if(words, [](const std::string& word) {
    return word.starts_with("--native") || word.starts_with("--deb") || word.starts_with("--na") ||
           word == "--";
  });
  const std::string first = words.empty() ? "" : words[0];
  for (const std::string_view command : {"selfcheck", "bench", "generate", "doctor"})
    if (first == command) words[0] = "check";
  if (!words.empty() && words[0] == "check") words.emplace_back("--single");  // suites start processes
  if (!words.empty() && !words[0].starts_with("-"))
    words.insert(words.end(), {"--timeout", std::string(kTime)});
  return words;
}

void write(const std::string& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

// What a run of weir leaves behind in its process, and the fuzzer must not keep.
class Surroundings {
 public:
  Surroundings() {
    pthread_sigmask(SIG_SETMASK, nullptr, &signals_);
    getrlimit(RLIMIT_DATA, &memory_);
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings() {
    setrlimit(RLIMIT_DATA, &memory_);
    pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  }

 private:
  sigset_t signals_{};
  rlimit memory_{};
};

class Fuzzer {
 public:
  static Fuzzer& instance() {
    static Fuzzer fuzzer;
    return fuzzer;
  }

  void prepare(std::string_view front) {
    const auto found = std::ranges::find(kFrontEnds, front, &FrontEnd::name);
    if (found == kFrontEnds.end()) {
      std::fprintf(stderr, "command_line_fuzz: --front= must be one of:");
      for (const FrontEnd& known : kFrontEnds) std::fprintf(stderr, " %s", std::string(known.name).c_str());
      std::fprintf(stderr, "\n");
      std::exit(2);
    }
    front_ = &*found;
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    const Sandbox sandbox(std::filesystem::current_path());
    sandbox.enter();
    setenv("TMPDIR", std::filesystem::current_path().c_str(), 1);
    write("system.aut", kSystem);
    write("system.lab", kLabels);
  }

  void run(std::string_view bytes) {
    input_ = bytes;
    std::vector<std::string> words;
    if (front_->name == "arguments") {
      words = given_command_line(bytes);
    } else {
      const std::size_t end = std::min(bytes.rfind('\0'), bytes.size());
      write(std::string(input_file()), bytes.substr(0, end));
      words = command_line(*front_, Choices(bytes.substr(std::min(end + 1, bytes.size()))));
    }
    const Surroundings surroundings;
    running_ = &words;
    const int code = cli::run_weir(words, Context::Clock::now());
    running_ = nullptr;
    if (code == kInternal) fail(words, "internal-error");
  }

  // Whoever ends the process in the middle of a run.
  void ended(int code) {
    if (running_ != nullptr && getpid() == process_) fail(*running_, "overdue");
    syscall(SYS_exit_group, code);
  }

 private:
  std::string_view input_file() const {
    if (front_->name == "pairs") return "input.pairs";
    return front_->name == "automaton" ? "input.hoa" : front_->file;
  }

  // libFuzzer knows nothing of this kind of failure, so the input is left behind here.
  [[noreturn]] void fail(const std::vector<std::string>& words, const std::string& kind) const {
    write(kind + "-input", input_);
    std::string command = "weir";
    for (const std::string& word : words) command += " '" + word + "'";
    write(kind + "-command", command + "\n");
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }

  const FrontEnd* front_ = nullptr;
  std::string_view input_;
  const std::vector<std::string>* running_ = nullptr;
  const pid_t process_ = getpid();
};

}  // namespace

}  // namespace weir::fuzz

// The watchdog of a run that is overdue ends the process with this: in a fuzzer that is a failure.
extern "C" void _exit(int code) {
  weir::fuzz::Fuzzer::instance().ended(code);
  __builtin_unreachable();
}

extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:quarantine_size_mb=16:handle_abort=1";
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::string_view front;
  for (int i = 1; i < *argc; ++i)
    if (const std::string_view word = (*argv)[i]; word.starts_with("--front=")) front = word.substr(8);
  weir::fuzz::Fuzzer::instance().prepare(front);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weir::fuzz::Fuzzer::instance().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
