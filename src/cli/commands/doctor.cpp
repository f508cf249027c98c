// weir doctor: is everything there that Weir works with? What is missing is told with what it is for and how
// to get it.
#include <array>
#include <cstdlib>
#include <fmt/format.h>

#include "base/process/process.hpp"
#include "base/process/sandbox.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"
#include "verify/c_module.hpp"

namespace weir::cli {

namespace {

struct Finding {
  std::string name;
  std::string_view purpose;
  bool needed = false;  // by weir itself; others are programs to use its files with
  bool found = false;
  std::string detail;  // the version, or why it is not found
  std::string remedy;  // if it is not found
};

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// A program that tells its version.
Finding look_for(std::string name, std::string_view purpose, std::string_view package,
                 const char* asks_version = "--version") {
  Finding finding{.name = name, .purpose = purpose};
  if (const auto result = run_process({name, asks_version})) {
    finding.found = true;
    finding.detail = first_line(result->output.empty() ? result->errors : result->output);
  } else {
    finding.detail = "not found on the PATH";
    finding.remedy = fmt::format("install it (on Debian: apt-get install {})", package);
  }
  return finding;
}

// As the front end does, but any clang is not enough: LLVM 19 reads what it writes.
Finding look_for_compiler() {
  constexpr std::string_view kPurpose = "compiles C and C++ programs for every command that reads them";
  const char* const chosen = std::getenv("WEIR_CLANG");
  const bool named = chosen != nullptr && *chosen != '\0';
  Finding finding;
  for (const std::string& name :
       named ? std::vector<std::string>{chosen} : std::vector<std::string>{"clang-19", "clang"}) {
    finding = look_for(name, kPurpose, "clang-19");
    if (finding.found) break;
  }
  finding.needed = true;
  if (finding.found && finding.detail.find("version 19") == std::string::npos) {
    finding.found = false;
    finding.detail = fmt::format("{} is another version: {}", finding.name, finding.detail);
    finding.remedy = "install clang 19 (on Debian: apt-get install clang-19), or set WEIR_CLANG to its path";
  } else if (!finding.found) {
    finding.name = named ? chosen : "clang-19";
    if (named) finding.remedy = "set WEIR_CLANG to the path of clang 19, or unset it";
  }
  return finding;
}

Finding look_for_front_end() {
  Finding finding{.name = "libweir_c.so", .purpose = "reads what the compiler writes", .needed = true};
  if (const auto problem = verify::c_front_end_problem()) {
    finding.detail = problem->message;
    finding.remedy = problem->hint;
  } else {
    finding.found = true;
    finding.detail = "can be loaded";
  }
  return finding;
}

Finding look_for_fairness() {
  Finding finding{.name = "BuDDy", .purpose = "decision diagrams, for weir fair", .needed = true};
#ifdef WEIR_HAS_BUDDY
  finding.found = true;
  finding.detail = "built in";
#else
  finding.detail = "this Weir was built without it";
  finding.remedy = "install libbdd-dev, and build Weir again";
#endif
  return finding;
}

// What the compiler cannot do because of the kernel: tried, not assumed.
Finding look_for_sandbox() {
  const SandboxTrial trial = try_sandbox();
  const std::array<std::pair<bool, std::string_view>, 5> parts = {
      std::pair{trial.no_network, std::string_view("opens no connections")},
      {trial.no_writes, "writes no files"},
      {trial.no_signals, "signals nobody"},
      {trial.no_tracing, "traces nobody"},
      {trial.no_new_rights, "gains no rights"}};
  std::vector<std::string_view> active, missing;
  for (const auto& [is_active, what] : parts) (is_active ? active : missing).push_back(what);
  Finding finding{.name = "sandbox", .purpose = "keeps the C compiler, and LLVM, from what they need not do"};
  finding.found = missing.empty();
  finding.detail =
      fmt::format("the compiler {} (Landlock: {}; seccomp: {})",
                  active.empty() ? "can do what you can" : fmt::format("{}", fmt::join(active, ", ")),
                  trial.landlock_version > 0 ? std::to_string(trial.landlock_version) : "not in this kernel",
                  trial.filter_built_in ? "built in" : "Weir was built without it");
  if (missing.empty()) return finding;
  finding.remedy = sandbox_is_off()
                       ? "WEIR_SANDBOX=off switches it off: unset it"
                       : fmt::format(
                             "a compiler that {} needs a kernel with Landlock (5.13, or 6.12 for all), "
                             "and a Weir that was built with libseccomp-dev",
                             fmt::join(missing, ", "));
  return finding;
}

std::vector<Finding> look_around() {
  return {look_for_compiler(),
          look_for_front_end(),
          look_for_sandbox(),
          look_for_fairness(),
          look_for("z3", "checks the certificates of array systems (check --certificate)", "z3"),
          look_for("cvc5", "checks certificates of array systems a second time", "cvc5"),
          look_for("dot", "draws what --dot writes", "graphviz"),
          look_for("patch", "applies what weir fence --patch writes", "patch"),
          look_for("spin", "checks what convert --to promela writes", "spin", "-V")};
}

std::string text_of(const Finding& finding) {
  const std::string_view mark = finding.found ? "ok     " : finding.needed ? "MISSING" : "absent ";
  std::string out = fmt::format("{}  {:<13} {}\n", mark, finding.name, finding.detail);
  if (!finding.found)
    out += fmt::format("{:9}{:<13} = {}\n{:9}{:<13} = {}\n", "", "", finding.purpose, "", "", finding.remedy);
  return out;
}

std::string json_of(const std::vector<Finding>& findings, const std::string& summary, bool healthy,
                    const CommandLine& line) {
  Json json = answer_json({.engine = "doctor",
                           .verdict = healthy ? "done" : "unknown",
                           .reason = summary,
                           .bound = {},
                           .statistics = {}},
                          run_info(line, Model::kSc));
  json["findings"] = Json::array();
  for (const Finding& finding : findings)
    json["findings"].push_back({{"name", finding.name},
                                {"purpose", finding.purpose},
                                {"needed", finding.needed},
                                {"found", finding.found},
                                {"detail", finding.detail},
                                {"remedy", finding.remedy}});
  return dump(json);
}

}  // namespace

int run_doctor(const CommandLine& line, Session& session) {
  const std::vector<Finding> findings = look_around();
  std::string missing;
  for (const Finding& finding : findings)
    if (finding.needed && !finding.found)
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", finding.name);
  const bool healthy = missing.empty();
  const std::string summary =
      healthy ? "Weir has everything it needs" : fmt::format("Weir needs {}", missing);
  const int code = healthy ? kDone : kBadInput;
  if (line.settings.flag(OptionId::kJson))
    return session.answer(json_of(findings, summary, healthy, line), code);
  std::string text;
  if (!line.settings.flag(OptionId::kQuiet))
    for (const Finding& finding : findings) text += text_of(finding);
  return session.answer(text + summary + "\n", code);
}

}  // namespace weir::cli
