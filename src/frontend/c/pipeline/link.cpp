#include "frontend/c/pipeline/link.hpp"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include "base/error.hpp"
#include "base/process/process.hpp"
#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/layout/own_types.hpp"
#include "frontend/c/layout/uninitialised.hpp"
#include "frontend/c/layout/wide_accesses.hpp"
#include "frontend/c/library/cycle_counters.hpp"
#include "frontend/c/library/ending_mutexes.hpp"
#include "frontend/c/library/formats.hpp"
#include "frontend/c/library/system_calls.hpp"
#include "frontend/c/library/variable_arguments.hpp"
#include "frontend/c/names.hpp"
#include "frontend/c/pipeline/cleanup.hpp"
#include "frontend/c/pipeline/entry_points.hpp"
#include "frontend/c/pipeline/foreign_code.hpp"
#include "frontend/c/pipeline/loop_bounds.hpp"
#include "frontend/c/pipeline/runtime_bitcode.hpp"
#include "frontend/c/positions.hpp"
#include "frontend/c/stopping.hpp"
#include "frontend/c/unwinding/handlers.hpp"
#include "frontend/c/unwinding/unwinding.hpp"

namespace weir::c {

namespace {

using ModulePointer = std::unique_ptr<llvm::Module>;

InputError about_file(const std::string& path, std::string message, std::string hint = {}) {
  InputError error;
  const FileId file = error.sources.add(path, "");
  error.diagnostics.push_back({Severity::kError, std::move(message), {file}, std::move(hint)});
  return error;
}

// A function without a body has no place of its own: its first call stands for it.
SourcePosition position_of(const llvm::Value& value, Positions& positions) {
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value))
    return positions.near(*instruction);
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value))
    if (const SourcePosition found = positions.of(variable_of(*variable)); found.known()) return found;
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&value))
    if (const SourcePosition found = positions.of(function->getSubprogram()); found.known()) return found;
  for (const llvm::User* user : value.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      if (const SourcePosition found = positions.near(*instruction); found.known()) return found;
  return {};
}

InputError about_code(const std::string& path, ForeignCode problem) {
  InputError error;
  Positions positions(error.sources, path);
  const SourcePosition position = position_of(*problem.where, positions);
  if (!position.known()) return about_file(path, std::move(problem.message));
  error.diagnostics.push_back({Severity::kError, std::move(problem.message), position, ""});
  return error;
}

// LLVM's linker and readers report through the context.
void collect_error(const llvm::DiagnosticInfo* info, void* collected) {
  if (info->getSeverity() != llvm::DS_Error) return;
  auto& text = *static_cast<std::string*>(collected);
  llvm::raw_string_ostream out(text);
  llvm::DiagnosticPrinterRawOStream printer(out);
  if (!text.empty()) out << "; ";
  info->print(printer);
}

bool is_bitcode(const std::string& text) {
  const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
  return llvm::isBitcode(begin, begin + text.size());
}

llvm::MemoryBufferRef buffer_of(const ModuleText& file) { return {file.text, file.path}; }

Expected<ModulePointer> read_bitcode(const ModuleText& file, llvm::LLVMContext& context) {
  auto producer = llvm::getBitcodeProducerString(buffer_of(file));
  if (!producer)
    return about_file(file.path,
                      fmt::format("this is not LLVM bitcode: {}", llvm::toString(producer.takeError())));
  if (!llvm::StringRef(*producer).starts_with("LLVM19"))
    return about_file(file.path,
                      fmt::format("this was compiled by {}, but Weir reads what LLVM 19 writes", *producer),
                      "use clang 19; WEIR_CLANG can name it");
  auto module = llvm::parseBitcodeFile(buffer_of(file), context);
  if (!module)
    return about_file(file.path,
                      fmt::format("this bitcode cannot be read: {}", llvm::toString(module.takeError())));
  return std::move(*module);
}

Expected<ModulePointer> read_assembly(const ModuleText& file, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  if (ModulePointer module = llvm::parseAssembly(buffer_of(file), problem, context)) return module;
  InputError error;
  const FileId id = error.sources.add(file.path, file.text);
  const auto line = static_cast<std::uint32_t>(std::max(problem.getLineNo(), 0));
  const auto column = static_cast<std::uint32_t>(std::max(problem.getColumnNo() + 1, 0));
  error.diagnostics.push_back({Severity::kError, problem.getMessage().str(), {id, line, column}, ""});
  return error;
}

// What LLVM's verifier says about the module, in one line, or nothing. Debug information that is wrong is
// dropped.
std::string verification_problem(llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  bool broken_debug_info = false;
  const bool broken = llvm::verifyModule(module, &out, &broken_debug_info);
  if (broken_debug_info) llvm::StripDebugInfo(module);
  if (!broken) return {};
  out.flush();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Directives that say something about symbols but generate nothing.
bool harmless_assembly(llvm::StringRef assembly) {
  llvm::SmallVector<llvm::StringRef> lines;
  assembly.split(lines, '\n');
  return llvm::all_of(lines, [](llvm::StringRef line) {
    line = line.trim();
    return line.empty() ||
           llvm::any_of(llvm::ArrayRef<llvm::StringRef>{".globl ", ".global ", ".ident ", ".hidden "},
                        [&](llvm::StringRef word) { return line.starts_with(word); });
  });
}

Expected<ModulePointer> read_module(const ModuleText& file, llvm::LLVMContext& context) {
  return is_bitcode(file.text) ? read_bitcode(file, context) : read_assembly(file, context);
}

// What a copy of this process says about a file: its module as LLVM writes it, or the first mistake.
constexpr char kReadable = 'm', kMistake = 'e';

std::string read_in_copy(const ModuleText& file) {
  llvm::LLVMContext context;
  auto module = read_module(file, context);
  if (!module) {
    const Diagnostic& mistake = module.error().diagnostics.front();
    return fmt::format("{}{} {} {}\n{}\n{}", kMistake, mistake.position.line, mistake.position.column,
                       mistake.hint.size(), mistake.hint, mistake.message);
  }
  if (const std::string problem = verification_problem(**module); !problem.empty())
    return fmt::format("{}0 0 0\n\nthis is not a valid LLVM module: {}", kMistake, problem);
  std::string text(1, kReadable);
  llvm::raw_string_ostream out(text);
  llvm::WriteBitcodeToFile(**module, out);
  out.flush();
  return text;
}

InputError mistake_of_copy(const ModuleText& file, llvm::StringRef said) {
  const auto [numbers, rest] = said.split('\n');
  llvm::SmallVector<llvm::StringRef> words;
  numbers.split(words, ' ');
  std::uint32_t line = 0, column = 0;
  std::size_t hint = 0;
  WEIR_CHECK(words.size() == 3 && !words[0].getAsInteger(10, line) && !words[1].getAsInteger(10, column) &&
                 !words[2].getAsInteger(10, hint),
             "a mistake has a place");
  const std::string message = rest.substr(hint + 1).str();
  if (line == 0) return about_file(file.path, message, rest.substr(0, hint).str());
  InputError error;
  const FileId id = error.sources.add(file.path, file.text);
  error.diagnostics.push_back({Severity::kError, message, {id, line, column}, ""});
  return error;
}

// LLVM does what it likes with files that are damaged: it may crash, or take all memory, and not every time.
// So it reads them in a copy of this process, and here only what it wrote there itself.
Expected<ModulePointer> read_given(const ModuleText& file, llvm::LLVMContext& context,
                                   const Context* context_of_run) {
  const std::optional<std::string> said =
      result_if_survived([&] { return read_in_copy(file); }, context_of_run);
  poll(context_of_run);
  if (!said || said->empty()) return about_file(file.path, "LLVM cannot read this file: it is damaged");
  if (said->front() == kMistake) return mistake_of_copy(file, llvm::StringRef(*said).drop_front());
  auto module = llvm::parseBitcodeFile({llvm::StringRef(*said).drop_front(), file.path}, context);
  if (!module)
    return about_file(file.path,
                      fmt::format("this module cannot be read: {}", llvm::toString(module.takeError())));
  return std::move(*module);
}

DataModel data_model(const llvm::Module& module) {
  return llvm::Triple(module.getTargetTriple()).getArch() == llvm::Triple::x86 ? DataModel::kIlp32
                                                                               : DataModel::kLp64;
}

// What is wrong with a module that LLVM itself accepts. The target must be that of the runtime.
std::optional<InputError> check_module(const ModuleText& file, llvm::Module& module,
                                       const llvm::Module& runtime, bool first) {
  if (const std::string problem = verification_problem(module); !problem.empty())
    return about_file(file.path, fmt::format("this is not a valid LLVM module: {}", problem));
  const llvm::Triple target(module.getTargetTriple());
  const llvm::Triple host(runtime.getTargetTriple());
  if (module.getTargetTriple().empty()) {
    module.setTargetTriple(runtime.getTargetTriple());
  } else if (target.getArch() != host.getArch() || target.getOS() != host.getOS() ||
             target.getEnvironment() != host.getEnvironment()) {
    return about_file(
        file.path,
        fmt::format("this was compiled for {}, but {} for {}", target.str(),
                    first ? "Weir checks programs" : "the files before it were compiled", host.str()));
  }
  if (module.getDataLayoutStr().empty()) module.setDataLayout(runtime.getDataLayout());
  if (module.getDataLayout() != runtime.getDataLayout())
    return about_file(file.path, "this was compiled with another layout of types than Weir's target has");
  if (auto problem = foreign_code(module)) return about_code(file.path, std::move(*problem));
  if (!harmless_assembly(module.getModuleInlineAsm()))
    return about_file(file.path, "assembly outside functions is not supported");
  module.setModuleInlineAsm("");
  return std::nullopt;
}

void prepare_for_linking(llvm::Module& module, Origin origin, const Context* context) {
  module.convertToNewDbgValues();
  drop_needless_invokes(module);
  drop_hints(module);
  if (origin == Origin::kCompiled) {
    define_padding(module);
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) end_literals(function);
  }
  mark_uninitialised(module, origin, context);
}

// The runtime's definitions give way to others.
ModulePointer read_runtime(llvm::LLVMContext& context, DataModel model) {
  const std::string_view bitcode = runtime_bitcode(model);
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "runtime"), context);
  WEIR_CHECK(static_cast<bool>(module), "the runtime is LLVM bitcode");
  for (llvm::GlobalValue& value : (*module)->global_values())
    if (!value.isDeclaration() && value.hasExternalLinkage())
      value.setLinkage(llvm::GlobalValue::WeakAnyLinkage);
  prepare_for_linking(**module, Origin::kGiven, nullptr);
  exempt_loops(**module);
  exempt_wide_accesses(**module);
  return std::move(*module);
}

// Only declarations keep a name that others see.
void make_internal(llvm::Module& module) {
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || value.getName() == kMainEntry || value.getName() == kThreadEntry) continue;
    if (value.hasAppendingLinkage()) continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setDSOLocal(true);
  }
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
}

}  // namespace

Expected<LinkedModule> link_program(const std::vector<ModuleText>& files, const Context* context_of_run) {
  LinkedModule linked{std::make_unique<llvm::LLVMContext>(), nullptr};
  llvm::LLVMContext& context = *linked.context;
  std::string complaints;
  context.setDiagnosticHandlerCallBack(collect_error, &complaints);

  ModulePointer runtime;
  linked.module = std::make_unique<llvm::Module>("program", context);
  for (const ModuleText& file : files) {
    auto module = file.origin == Origin::kGiven ? read_given(file, context, context_of_run)
                                                : read_module(file, context);
    if (!module) return std::move(module.error());
    if (runtime == nullptr) {
      runtime = read_runtime(context, data_model(**module));
      linked.module->setTargetTriple(runtime->getTargetTriple());
      linked.module->setDataLayout(runtime->getDataLayout());
    }
    if (auto problem = check_module(file, **module, *runtime, &file == &files.front()))
      return std::move(*problem);
    poll(context_of_run);
    prepare_for_linking(**module, file.origin, context_of_run);
    if (llvm::Linker::linkModules(*linked.module, std::move(*module)))
      return about_file(file.path, fmt::format("this cannot be linked with the other files: {}", complaints));
  }
  take_formats_apart(*linked.module);
  take_comparisons_apart(*linked.module);
  adapt_system_calls(*linked.module);
  adapt_cycle_counters(*linked.module);
  adapt_own_types(*linked.module);
  check_ending_mutexes(*linked.module);
  translate_cleanup_handlers(*linked.module);
  if (auto problem = define_entry_points(*linked.module))
    return about_file(files.front().path, std::move(*problem));
  declare_unwinding(*linked.module);
  WEIR_CHECK(!llvm::Linker::linkModules(*linked.module, std::move(runtime), llvm::Linker::LinkOnlyNeeded),
             "the runtime can be linked with every program");
  name_variable_arguments(*linked.module);
  poll(context_of_run);
  make_internal(*linked.module);
  context.setDiagnosticHandlerCallBack(nullptr, nullptr);
  return linked;
}

}  // namespace weir::c
