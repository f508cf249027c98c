// From the user's files to a PreparedModule (module.hpp says what that is). Every transformation here works
// on control flow, on calls, or on variables whose address nobody has; no pass touches accesses to memory.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <sstream>

#include "frontend/c/layout/escape.hpp"
#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/layout/odd_structures.hpp"
#include "frontend/c/layout/uninitialised.hpp"
#include "frontend/c/library/atomic_functions.hpp"
#include "frontend/c/library/thread_functions.hpp"
#include "frontend/c/module.hpp"
#include "frontend/c/pipeline/chance_failures.hpp"
#include "frontend/c/pipeline/cleanup.hpp"
#include "frontend/c/pipeline/compile.hpp"
#include "frontend/c/pipeline/inlining.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "frontend/c/pipeline/loop_bounds.hpp"
#include "frontend/c/pipeline/thread_limit.hpp"
#include "frontend/c/stopping.hpp"
#include "frontend/c/unwinding/unwinding.hpp"

namespace weir::c {

namespace {

Expected<std::string> read_llvm_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file.is_open()) content << file.rdbuf();
  std::string text = std::move(content).str();
  if (!text.empty()) return text;
  InputError error;
  const FileId id = error.sources.add(path, "");
  error.diagnostics.push_back(
      {Severity::kError, file.is_open() ? "this file is empty" : std::strerror(errno), {id}, ""});
  return error;
}

// The sources compiled, the others read.
Expected<std::vector<ModuleText>> read_modules(const std::vector<std::string>& paths,
                                               const COptions& options) {
  std::vector<std::string> sources;
  for (const std::string& path : paths)
    if (!is_llvm_path(path)) sources.push_back(path);
  auto compiled = compile(sources, options.compiler_arguments, options.context);
  if (!compiled) return std::move(compiled.error());
  std::vector<ModuleText> modules;
  std::size_t next = 0;
  for (const std::string& path : paths) {
    if (!is_llvm_path(path)) {
      modules.push_back({path, std::move((*compiled)[next++]), Origin::kCompiled});
      continue;
    }
    auto text = read_llvm_file(path);
    if (!text) return std::move(text.error());
    modules.push_back({path, std::move(*text)});
  }
  return modules;
}

void simplify_functions(llvm::Module& module, const Context* context) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    poll(context);
    tidy_blocks(function);
    poll(context);
    promote_scalars(function, context);
    tidy_blocks(function);
  }
}

void require_valid(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream out(problem);
  const bool broken = llvm::verifyModule(module, &out);
  if (broken)
    throw InternalError(fmt::format("the pipeline for C programs made an invalid module: {}", problem));
}

}  // namespace

Expected<PreparedModule> prepare_module(const std::vector<std::string>& paths, const COptions& options) {
  auto files = read_modules(paths, options);
  if (!files) return std::move(files.error());
  auto linked = link_program(*files, options.context);
  if (!linked) return std::move(linked.error());
  PreparedModule prepared{std::move(linked->context), std::move(linked->module), 1, {}};
  llvm::Module& module = *prepared.module;

  const ThrownTypes thrown = prepare_unwinding(module, options.failing_malloc);
  match_call_types(module);
  wrap_atomic_functions(module);
  add_chance_failures(module);
  simplify_functions(module, options.context);
  inline_calls(module, module.getFunction(kSpawn), options.context);
  simplify_functions(module, options.context);
  match_call_types(module);  // of pointers that are functions now
  if (adapt_thread_functions(module)) inline_calls(module, module.getFunction(kSpawn), options.context);
  drop_unused_globals(module, unwinding_functions());
  prepared.thread_limit = count_threads(module, options);
  inline_calls(module, nullptr, options.context);
  if (settle_unwinding(module, thrown)) inline_calls(module, nullptr, options.context);
  decide_chance_failures(module, options.chance_failures);
  simplify_functions(module, options.context);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) {
      copy_odd_structures(function);
      end_arrays(function);
    }
  drop_unused_globals(module);
  poll(options.context);
  prepared.private_allocas = private_variables(module, options.context);
  drop_lifetimes(module, prepared.private_allocas);
  resolve_marks(module, prepared.private_allocas);
  drop_unused_globals(module);
  if (options.unroll != 0)
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) bound_loops(function, options.unroll);
  locate_calls(module);
  poll(options.context);
  require_valid(module);
  return prepared;
}

}  // namespace weir::c
