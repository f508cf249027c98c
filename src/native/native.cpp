#include "native/native.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/process/process.hpp"
#include "base/process/sandbox.hpp"
#include "native/line_table.hpp"
#include "native/runtime_files.hpp"
#include "native/schedule.hpp"

extern char** environ;

namespace weir::native {

namespace {

constexpr std::chrono::seconds kLongestRun{10};

bool is_cpp_path(std::string_view path) {
  for (const std::string_view suffix : {".cc", ".cpp", ".cxx", ".C", ".ii"})
    if (path.ends_with(suffix)) return true;
  return false;
}

bool is_llvm_path(std::string_view path) { return path.ends_with(".ll") || path.ends_with(".bc"); }

// What the runtime tells: one line with tabs.
struct Told {
  std::string word, kind;
  std::size_t thread = 0;
  std::uint64_t pc = 0;
  std::string text;
};

class Build {
 public:
  Build(const CSources& sources, const std::filesystem::path& folder)
      : sources_(sources), folder_(folder), sandbox_(folder) {}

  // What went wrong; empty if the executable is there.
  std::string run() {
    if (prepared("WEIR_NATIVE_EXECUTABLE")) return "";
    std::string runtime = path("runtime.o");
    if (const auto compiled = prepared("WEIR_NATIVE_RUNTIME"))
      runtime = *compiled;
    else if (auto problem = compile_runtime(runtime); !problem.empty())
      return problem;
    // What nobody defines matters only where it is reached.
    std::vector<std::string> link{"-no-pie", "-pthread", "-Wl,--wrap=main",
                                  "-Wl,--unresolved-symbols=ignore-all", runtime};
    bool cpp = false;
    for (std::size_t i = 0; i < sources_.files.size(); ++i) {
      const std::string object = path(fmt::format("program{}.o", i));
      if (auto problem = compile_user(sources_.files[i], object); !problem.empty()) return problem;
      link.push_back(object);
      cpp = cpp || is_cpp_path(sources_.files[i]);
    }
    link.insert(link.end(), {"-o", executable(), "-ldl", "-lm"});
    if (cpp) link.push_back("-lstdc++");
    return compile(link);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string executable() const { return prepared("WEIR_NATIVE_EXECUTABLE").value_or(path("program")); }

 private:
  // What tests have compiled already, because they ask about many programs.
  static std::optional<std::string> prepared(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }

  // Built with Weir; it is in the same folder, or installed in lib/weir.
  static std::string stack_pass() {
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const auto installed = folder.parent_path() / "lib" / "weir" / "libweir_native.so";
    const auto built = folder / "libweir_native.so";
    return (std::filesystem::exists(built, error) ? built : installed).string();
  }

  void write_runtime() const {
    for (const auto& [name, text] : runtime_files()) std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string compile_runtime(const std::string& object) {
    write_runtime();
    return compile({"-O1", "-fno-builtin", "-fno-omit-frame-pointer", "-fexceptions", "-w", "-c",
                    path("runtime.c"), "-o", object});
  }

  std::string compile_user(const std::string& file, const std::string& object) {
    const std::string source = (std::filesystem::path(sources_.directory) / file).lexically_normal().string();
    if (is_llvm_path(file)) return "a program in LLVM's language has no lines to follow";
    std::vector<std::string> arguments{
        "-w", "-D__WEIR__=1", "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
        "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-type",
        // As the front end does.
        "-mcx16", "-U__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", "-D__malloc__(...)=__malloc__"};
    arguments.insert(arguments.end(), sources_.arguments.begin(), sources_.arguments.end());
    arguments.insert(
        arguments.end(),
        {"-fpass-plugin=" + stack_pass_, "-Xclang",
         "-fsanitize-address-use-after-scope",  // marks of lifetimes
         "-fno-discard-value-names", "-g", "-gdwarf-4", "-O0", "-fno-omit-frame-pointer", "-fno-lto",
         "-fno-pie",
         "-fdebug-compilation-dir=/weir",  // so that paths are absolute in the debug information

         "-fsanitize=thread,array-bounds,unreachable,shift-exponent,float-cast-overflow,builtin,alignment",
         "-fsanitize-trap=array-bounds,unreachable,shift-exponent,float-cast-overflow,builtin,alignment",
         "-mllvm", "-tsan-instrument-read-before-write=1"});
    arguments.insert(arguments.end(), {"-c", source, "-o", object});
    return compile(arguments);
  }

  std::string compile(const std::vector<std::string>& arguments) {
    std::vector<std::string> compilers{"clang-19", "clang"};
    if (const char* chosen = std::getenv("WEIR_CLANG"); chosen != nullptr && *chosen != '\0')
      compilers = {chosen};
    for (const std::string& compiler : compilers) {
      std::vector<std::string> command{compiler};
      command.insert(command.end(), arguments.begin(), arguments.end());
      const auto result = run_process(command, nullptr, &sandbox_);
      if (!result) continue;
      return result->status == 0 ? "" : "the program cannot be built: " + first_error(result->errors);
    }
    return "clang is not on the PATH";
  }

  static std::string first_error(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line))
      if (line.find("error") != std::string::npos || line.find("undefined") != std::string::npos) return line;
    return text.substr(0, 200);
  }

  const CSources& sources_;
  const std::filesystem::path& folder_;
  const Sandbox sandbox_;  // of the compiler; the program itself has none
  const std::string stack_pass_ = stack_pass();
};

class Run {
 public:
  Run(const Build& build, Model model, bool debugger) : build_(build), model_(model), debugger_(debugger) {}

  Told run() {
    start();
    const bool ended = wait();
    if (!ended) {
      kill(-process_, SIGKILL);
      waitpid(process_, nullptr, 0);
      return {"diverged", "-", 0, 0, "the program did nothing for ten seconds"};
    }
    return told();
  }

 private:
  void start() {
    Launch launch{.command = {build_.executable()},
                  .variables = {fmt::format("WEIR_NATIVE_MODEL={}", weir::name(model_)),
                                "WEIR_NATIVE_SCHEDULE=" + build_.path("schedule"),
                                "WEIR_NATIVE_RESULT=" + build_.path("result")},
                  .memory_bytes = {}};
    if (debugger_) launch.variables.emplace_back("WEIR_NATIVE_STOP=1");
    if (auto started = Process::start(launch)) process_ = started->release();
  }

  // False if it takes too long.
  bool wait() {
    const auto limit = std::chrono::steady_clock::now() + kLongestRun;
    for (int status = 0; std::chrono::steady_clock::now() < limit;) {
      const pid_t changed = waitpid(process_, &status, WNOHANG | WUNTRACED);
      if (changed < 0 && errno != EINTR) return true;
      if (changed == process_ && WIFSTOPPED(status)) {
        debug();
        return true;
      }
      if (changed == process_) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  // Commands that go to the thread that failed, and from the runtime, which has stopped the program, up to
  // the place in it. No thread goes away before the program does, so gdb counts them as the runtime did,
  // from 1.
  std::string debugger_commands() const {
    const std::string path = build_.path("commands.gdb");
    const Told failure = told();
    std::ofstream(path) << fmt::format(
        "thread {0}\nwhile $pc != {1} && $pc != {1} - 1\nup-silently\nend\nframe\n", failure.thread + 1,
        failure.pc);
    return path;
  }

  // The program stands where it failed; the debugger has the terminal until it ends.
  void debug() const {
    const std::string number = std::to_string(process_);
    std::vector<std::string> words{"gdb", "-q", "-p", number, "-x", debugger_commands()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t debugger = 0;
    if (posix_spawnp(&debugger, "gdb", nullptr, nullptr, arguments.data(), environ) == 0) {
      while (waitpid(debugger, nullptr, 0) < 0 && errno == EINTR) {
      }
      kill(-process_, SIGKILL);
    } else {
      const std::string line = fmt::format("there is no gdb here; the program waits:  gdb -p {}\n", number);
      if (write(STDERR_FILENO, line.data(), line.size()) < 0) kill(-process_, SIGKILL);
    }
    waitpid(process_, nullptr, 0);
  }

  Told told() const {
    std::ifstream file(build_.path("result"));
    std::string line;
    if (!std::getline(file, line)) return {"diverged", "-", 0, 0, "the program ended without a word"};
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; fields.size() < 4 && std::getline(parts, field, '\t');) fields.push_back(field);
    fields.resize(4);
    Told told{fields[0], fields[1], std::strtoull(fields[2].c_str(), nullptr, 10),
              std::strtoull(fields[3].c_str(), nullptr, 16), ""};
    std::getline(parts, told.text);
    return told;
  }

  const Build& build_;
  Model model_;
  bool debugger_;
  pid_t process_ = 0;
};

bool is_memory_kind(std::string_view kind) {
  for (const std::string_view known : {"use-after-free", "double-free", "invalid-free", "heap-bounds",
                                       "bounds", "dead-stack", "null", "trap", "uninitialised", "crash"})
    if (kind == known) return true;
  return false;
}

// May what the program did be called what the witness says?
bool agree(const Witness& witness, const Told& told) {
  switch (witness.violation.kind) {
    case ViolationKind::kAssertion: return told.kind != "deadlock" && told.kind != "race";
    case ViolationKind::kMemory: return is_memory_kind(told.kind) || told.kind == "misuse";
    case ViolationKind::kDeadlock: return told.kind == "deadlock";
    case ViolationKind::kRace: return told.kind == "race";
    default: return false;
  }
}

std::string place(const LineTable& table, std::uint64_t pc) {
  const auto row = table.at(pc - 1);
  if (!row) return "";
  return fmt::format("{}:{}", std::filesystem::path(table.files[row->file]).filename().string(), row->line);
}

// Reads of memory that was never written are found by the search only: natively there is always some value.
bool is_about_initialisation(const Witness& witness) {
  return witness.violation.message.find("initialised") != std::string::npos;
}

Result judged_violation(const Witness& witness, const LineTable& table, const Told& told) {
  const auto row = table.at(told.pc - 1);
  const std::string what = row ? fmt::format("{} at {}", told.text, place(table, told.pc)) : told.text;
  const bool has_line =
      witness.violation.kind == ViolationKind::kAssertion ||
      (witness.violation.kind == ViolationKind::kMemory && witness.violation.property != kLeak);
  const bool other_line =
      has_line && row && witness.violation.position.line != 0 && row->line != witness.violation.position.line;
  const bool other_thread = has_line && told.thread != witness.steps.back().thread.index();
  if (!agree(witness, told) || other_line || other_thread)
    return {Outcome::kDiverged, "the program fails in another way: " + what};
  return {Outcome::kConfirmed, what};
}

Result judged(const Witness& witness, const LineTable& table, const Told& told) {
  const Violation& violation = witness.violation;
  const bool leak = violation.kind == ViolationKind::kMemory && violation.property == kLeak;
  if (told.word == "violation") {
    Result result = judged_violation(witness, table, told);
    if (result.outcome == Outcome::kConfirmed || !is_about_initialisation(witness)) return result;
  }
  if (told.word != "diverged" && told.word != "unavailable" && is_about_initialisation(witness))
    return {Outcome::kNotObservable, "a running program always reads some value"};
  if (told.word == "ended" && leak && told.text != "0")
    return {Outcome::kConfirmed, fmt::format("{} allocated at the end", told.text)};
  if (told.word == "unavailable") return {Outcome::kUnavailable, told.text};
  if ((told.word == "passed" || told.word == "ended") && violation.kind == ViolationKind::kMemory)
    return {Outcome::kNotObservable, "the program follows, but what is wrong cannot be seen from outside"};
  if (told.word == "ended") return {Outcome::kDiverged, "the program ends without a failure"};
  return {Outcome::kDiverged, told.text};
}

bool is_about_c(ViolationKind kind) {
  return kind == ViolationKind::kAssertion || kind == ViolationKind::kDeadlock ||
         kind == ViolationKind::kRace || kind == ViolationKind::kMemory;
}

}  // namespace

const char* name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kConfirmed: return "confirmed";
    case Outcome::kDiverged: return "diverged";
    case Outcome::kNotObservable: return "not-observable";
    case Outcome::kUnavailable: return "unavailable";
  }
  return "";
}

std::string text(const Result& result) {
  switch (result.outcome) {
    case Outcome::kConfirmed: return "native: confirmed: " + result.message + "\n";
    case Outcome::kDiverged: return "native: not confirmed: " + result.message + "\n";
    case Outcome::kNotObservable: return "native: not observable: " + result.message + "\n";
    case Outcome::kUnavailable: return "native: unavailable: " + result.message + "\n";
  }
  return "";
}

Result confirm(const Program& program, const Witness& witness, const CSources& sources,
               const std::filesystem::path& folder, bool debugger) {
#if !defined(__linux__) || !defined(__x86_64__)
  return {Outcome::kUnavailable, "programs are run on Linux and x86-64 only"};
#endif
  if (sources.files.empty())
    return {Outcome::kUnavailable, "the file does not name the C files of the program"};
  if (!is_about_c(witness.violation.kind))
    return {Outcome::kUnavailable, fmt::format("a violation of kind {} is about no single run of the program",
                                               weir::name(witness.violation.kind))};
  Build build(sources, folder);
  if (std::string problem = build.run(); !problem.empty()) return {Outcome::kUnavailable, std::move(problem)};
  const auto table = read_line_table(build.executable());
  if (!table) return {Outcome::kUnavailable, "the debug information of the program cannot be read"};
  std::ofstream(build.path("schedule"), std::ios::binary)
      << schedule_text(program, witness, *table, sources.directory);
  return judged(witness, *table, Run(build, witness.model, debugger).run());
}

}  // namespace weir::native
