#include "frontend/c/pipeline/compile.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <thread>

#include "base/process/process.hpp"
#include "base/process/sandbox.hpp"
#include "base/threads/side_by_side.hpp"
#include "frontend/c/pipeline/machine_headers.hpp"
#include "frontend/c/pipeline/shown_messages.hpp"

namespace weir::c {

namespace {

std::vector<std::string> compilers() {
  if (const char* chosen = std::getenv("WEIR_CLANG"); chosen != nullptr && *chosen != '\0') return {chosen};
  return {"clang-19", "clang"};
}

// What clang 16 and later reject, but older compilers accept, and old programs have.
constexpr std::array<const char*, 5> kOldHabits = {
    "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-type"};

// Atomic structures of 16 bytes: the real library exchanges them by cmpxchg16b, so let clang do it. A program that asks
// whether it may have that instruction itself gets the answer that it gets without this.
void exchange_by_instruction(std::vector<std::string>& command, const std::vector<std::string>& arguments) {
  const auto chooses_machine = [](const std::string& argument) {
    return argument.starts_with("-m") || argument.starts_with("-target") || argument.starts_with("--target");
  };
  if (std::ranges::any_of(arguments, chooses_machine)) return;
  command.insert(command.end(), {"-mcx16", "-U__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16"});
}

// Ours come last, so that an -O2 among the user's does not merge accesses behind our back.
std::vector<std::string> command_line(const std::string& compiler, const std::string& path,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> command{compiler, "-w", "-D__WEIR__=1", "-fno-crash-diagnostics"};
  command.insert(command.end(), kOldHabits.begin(), kOldHabits.end());
  exchange_by_instruction(command, arguments);
  command.insert(command.end(), arguments.begin(), arguments.end());
  // The last but two makes clang mark where variables begin and end; it does nothing else without a
  // sanitizer.
  command.insert(command.end(), {"-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names",
                                 "-Xclang", "-fsanitize-address-use-after-scope", "-fno-lto", "-emit-llvm"});
  command.insert(command.end(), {"-c", "-o", "-", path});
  return command;
}

struct Compilation {
  std::optional<ProcessResult> result;  // nothing if there is no compiler
  std::string compiler;
};

// Headers of GCC 11 and later say which function releases what another one allocates: `__malloc__(fclose, 1)`, which
// clang rejects. A preprocessed file is preprocessed once more, so that the macro is seen.
bool has_deallocators(const ProcessResult& result) {
  return result.status != 0 && result.errors.find("attribute takes no arguments") != std::string::npos;
}

std::vector<std::string> without_deallocators(const std::string& path, std::vector<std::string> arguments) {
  arguments.push_back("-D__malloc__(...)=__malloc__");
  if (path.ends_with(".i")) arguments.insert(arguments.end(), {"-x", "c"});
  if (path.ends_with(".ii")) arguments.insert(arguments.end(), {"-x", "c++"});
  return arguments;
}

Compilation compile_one(const std::string& path, const std::vector<std::string>& arguments,
                        const Context* context, const Sandbox& sandbox) {
  for (const std::string& compiler : compilers()) {
    auto result = run_process(command_line(compiler, path, arguments), context, &sandbox);
    if (result && has_deallocators(*result))
      result =
          run_process(command_line(compiler, path, without_deallocators(path, arguments)), context, &sandbox);
    if (result) return {std::move(result), compiler};
  }
  return {};
}

bool lacked_memory(const Compilation& compilation) {
  if (!compilation.result || compilation.result->status == 0) return false;
  const std::string& said = compilation.result->errors;
  return std::ranges::any_of(
      std::array{"out of memory", "bad_alloc", "Cannot allocate memory", "Allocation failed"},
      [&](const char* words) { return said.find(words) != std::string::npos; });
}

// As many at the same time as there are cores.
std::vector<Compilation> compile_all(const std::vector<std::string>& paths,
                                     const std::vector<std::string>& arguments, const Context* context) {
  std::vector<Compilation> results(paths.size());
  const Sandbox sandbox;
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    for (std::size_t i = next++; i < paths.size(); i = next++) {
      if (context != nullptr && context->stopped()) return;
      results[i] = compile_one(paths[i], arguments, context, sandbox);
    }
  };
  const std::size_t workers =
      std::min<std::size_t>(paths.size(), std::max(1u, std::thread::hardware_concurrency()));
  side_by_side(workers, work);
  return results;
}

// For whoever does not look at the context first.
InputError stopped(const Context& context) {
  InputError error;
  error.diagnostics.push_back({Severity::kError, describe(context.stop_reason()), {}, ""});
  return error;
}

InputError no_compiler() {
  InputError error;
  const char* chosen = std::getenv("WEIR_CLANG");
  const bool wrong_choice = chosen != nullptr && *chosen != '\0';
  error.diagnostics.push_back(
      {Severity::kError,
       wrong_choice ? fmt::format("the compiler that WEIR_CLANG names, '{}', cannot be run", chosen)
                    : "C programs need clang, which is not on the PATH",
       {},
       "install clang 19 (on Debian: apt-get install clang-19), or set WEIR_CLANG to its path"});
  return error;
}

void explain_failure(const std::string& path, Compilation& compilation, InputError& error) {
  ProcessResult& result = *compilation.result;
  error.verbatim += shown_messages(result.errors, path);
  if (!result.errors.empty()) return;
  const FileId file = error.sources.add(path, "");
  error.diagnostics.push_back({Severity::kError,
                               fmt::format("{} ended with code {} and said nothing about this file",
                                           compilation.compiler, result.status),
                               {file},
                               ""});
}

void explain_missing_headers(InputError& error) {
  if (error.verbatim.find("file not found") == std::string::npos) return;
  error.diagnostics.push_back(
      {Severity::kError,
       "a header is missing for programs for 32-bit machines",
       {},
       "install those of the C library, or of C++ (on Debian: apt-get install libc6-dev-i386, "
       "or g++-multilib), or give the preprocessed program, as a .i file"});
}

// The user's own arguments can ask for other outputs.
void explain_sandbox(InputError& error) {
  const auto is_said = [&](const char* words) { return error.verbatim.find(words) != std::string::npos; };
  if (!is_said("Permission denied") || is_said("cannot open file") || sandbox_is_off()) return;
  error.diagnostics.push_back({Severity::kError,
                               "the compiler that Weir runs can write no files",
                               {},
                               "leave out what asks for them, or set WEIR_SANDBOX=off"});
}

}  // namespace

bool is_llvm_path(const std::string& path) { return path.ends_with(".ll") || path.ends_with(".bc"); }

Expected<std::vector<std::string>> compile(const std::vector<std::string>& paths,
                                           const std::vector<std::string>& arguments, Context* context) {
  const MachineHeaders headers(arguments);
  std::vector<std::string> all_arguments = arguments;
  for (const std::string& argument : headers.arguments()) all_arguments.push_back(argument);
  std::vector<Compilation> compilations = compile_all(paths, all_arguments, context);
  if (context != nullptr && std::ranges::any_of(compilations, lacked_memory))
    context->request_stop(StopReason::kMemory);
  if (context != nullptr && context->stopped()) return stopped(*context);
  std::vector<std::string> bitcode;
  InputError error;
  bool failed = false;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!compilations[i].result) return no_compiler();
    if (compilations[i].result->status != 0) {
      explain_failure(paths[i], compilations[i], error);
      failed = true;
    }
    bitcode.push_back(std::move(compilations[i].result->output));
  }
  if (failed && headers.are_narrow()) explain_missing_headers(error);
  if (failed) explain_sandbox(error);
  if (failed) return error;
  return bitcode;
}

}  // namespace weir::c
