// From a prepared module to a program: the entry points of the threads are lowered, and then every function
// that is called from what was lowered, each once (or twice, if it is also called inside atomic blocks).
#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include "base/error.hpp"
#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/layout/unions.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/module.hpp"
#include "frontend/c/names.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "program/validate.hpp"

namespace weir::c {

namespace {

constexpr std::size_t kMostDiagnostics = 20;

}  // namespace

ModuleLowering::ModuleLowering(const PreparedModule& prepared, std::string name, const COptions& given)
    : options(given),
      thread_limit(std::max(1u, prepared.thread_limit)),
      cells(cells_in_use(*prepared.module)),
      layouts(prepared.module->getDataLayout(), cells.unions),
      globals(*prepared.module, layouts, cells, thread_limit),
      positions(program.sources, name),
      private_allocas(prepared.private_allocas),
      places(layouts, globals, private_allocas),
      separate_cells(*prepared.module, places),
      words(*prepared.module, globals, private_allocas, thread_limit),
      bit_field_reads(*prepared.module),
      keeps_variables_in_calls(c::keeps_variables_in_calls(*prepared.module, prepared.private_allocas)),
      prepared_(prepared) {
  program.name = std::move(name);
  for (const llvm::Function& function : *prepared.module)
    if (!function.isIntrinsic() && function.hasAddressTaken()) address_taken_.push_back(&function);
}

Expected<Program> ModuleLowering::run() {
  add_threads();
  while (!requests_.empty()) {
    const Request request = requests_.front();
    requests_.pop_front();
    FunctionLowering(*this, *request.source, request.id, request.inside_block).run();
  }
  report_broken_globals();
  if (!diagnostics_.empty()) return InputError{std::move(program.sources), std::move(diagnostics_), ""};
  globals.add_objects(program, positions);
  const SourceTerms terms = source_terms(*prepared_.module, program, globals, origins, positions);
  program.sources.add(std::string(kTermsPath), print(terms));
  program.properties.deadlock = program.properties.partial_deadlock = true;
  program.byte_memory = true;
  if (const auto mistakes = validate(program); !mistakes.empty())
    throw InternalError(fmt::format("the lowered program is not well formed: {} {}",
                                    program.sources.describe(mistakes.front().position),
                                    mistakes.front().message));
  return std::move(program);
}

void ModuleLowering::add_threads() {
  const llvm::Function* main = prepared_.module->getFunction(kMainEntry);
  const llvm::Function* other = prepared_.module->getFunction(kThreadEntry);
  WEIR_CHECK(main != nullptr && !main->isDeclaration(), "a prepared module has the entry point of main");
  const FunctionId main_id = function(*main, false);
  program.add_thread("main", main_id, program.function(main_id).position);
  if (thread_limit == 1) return;
  WEIR_CHECK(other != nullptr && !other->isDeclaration(), "a prepared module has the entry point of threads");
  const FunctionId other_id = function(*other, false);
  for (std::uint32_t i = 1; i < thread_limit; ++i) {
    const ThreadId thread = program.add_thread(fmt::format("t{}", i), other_id);
    program.threads[thread.index()].dormant = true;
  }
}

FunctionId ModuleLowering::function(const llvm::Function& source, bool inside_block) {
  const auto [entry, is_new] = functions_.try_emplace({&source, inside_block});
  if (!is_new) return entry->second;
  const std::string name = name_of(source) + (inside_block ? " in a block" : "");
  entry->second = program.add_function(name, positions.of(source.getSubprogram()));
  requests_.push_back({&source, inside_block, entry->second});
  return entry->second;
}

void ModuleLowering::report(SourcePosition position, std::string message, std::string hint) {
  if (diagnostics_.size() >= kMostDiagnostics) return;
  if (!reported_.insert(program.sources.describe(position) + message).second) return;
  diagnostics_.push_back({Severity::kError, std::move(message), position, std::move(hint)});
}

namespace {

void add_once(std::vector<std::string>& known, const std::string& phrase) {
  if (std::find(known.begin(), known.end(), phrase) == known.end()) known.push_back(phrase);
}

}  // namespace

void ModuleLowering::restrict(const std::string& phrase) { add_once(program.restrictions, phrase); }

void ModuleLowering::assume(const std::string& phrase) { add_once(program.assumptions, phrase); }

// Those that only initialisers mention; the others are reported where they are used. If there are addresses
// for them that no access follows, executions find out.
void ModuleLowering::report_broken_globals() {
  globals.use_initialisers();
  if (!options.strict && !globals.has_narrow_pointers()) return;
  for (const llvm::GlobalVariable& variable : prepared_.module->globals()) {
    const Global& global = globals.look_at(variable);
    if (!global.used) continue;
    std::string problem = globals.problem_text(variable);
    const bool is_told = std::ranges::find(diagnostics_, problem, &Diagnostic::message) != diagnostics_.end();
    if (problem.empty() || is_told) continue;
    const llvm::GlobalVariable& where = global.mentioned_by != nullptr ? *global.mentioned_by : variable;
    report(positions.of(variable_of(where)), std::move(problem));
  }
}

Expected<Program> lower_module(const PreparedModule& prepared, std::string name, const COptions& options) {
  return ModuleLowering(prepared, std::move(name), options).run();
}

}  // namespace weir::c
