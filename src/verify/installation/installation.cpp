#include "verify/installation/installation.hpp"

#include <array>
#include <cstdlib>
#include <fmt/format.h>

#include "base/module.hpp"
#include "base/process/process.hpp"
#include "base/process/sandbox.hpp"
#include "verify/c_module.hpp"

namespace weir::verify {

namespace {

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
  if (const auto problem = c_front_end_problem()) {
    finding.detail = problem->message;
    finding.remedy = problem->hint;
  } else {
    finding.found = true;
    finding.detail = "can be loaded";
  }
  return finding;
}

// An engine's own library. What the engine does without it is a part of the purpose.
Finding look_for_module(const char* name, const char* function, std::string_view purpose,
                        std::string_view package) {
  Finding finding{.name = name, .purpose = purpose};
  if (const auto found = module_function(name, function)) {
    finding.found = true;
    finding.detail = "can be loaded";
  } else {
    finding.detail = "cannot be loaded: " + found.error();
    finding.remedy = fmt::format(
        "it is installed in lib/weir, next to bin/weir; to build it, install {}, and build Weir again",
        package);
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

}  // namespace

std::vector<Finding> look_around() {
  return {
      look_for_compiler(),
      look_for_front_end(),
      look_for_sandbox(),
      look_for_fairness(),
      look_for_module(
          "libweir_cbc.so", "weir_cheapest_hitting_set",
          "finds the cheapest fences; without it they are placed by branching, which can take long",
          "coinor-libcbc-dev"),
      look_for_module("libweir_z3.so", "weir_make_axiomatic_solver",
                      "for check --axiomatic on array systems; without it that search gives up", "libz3-dev"),
      look_for("z3", "checks the certificates of array systems (check --certificate)", "z3"),
      look_for("cvc5", "checks certificates of array systems a second time", "cvc5"),
      look_for("dot", "draws what --dot writes", "graphviz"),
      look_for("patch", "applies what weir fence --patch writes", "patch"),
      look_for("spin", "checks what convert --to promela writes", "spin", "-V")};
}

}  // namespace weir::verify
