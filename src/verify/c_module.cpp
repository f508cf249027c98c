#include "verify/c_module.hpp"

#include <fmt/format.h>
#include <memory>

#include "base/module.hpp"

namespace weir::verify {

#ifdef WEIR_HAS_C

namespace {

using LoadC = Expected<Program>*(const std::vector<std::string>&, const COptions&);

Expected<LoadC*, Diagnostic> front_end() {
  auto function = module_function("libweir_c.so", "weir_load_c");
  if (function) return reinterpret_cast<LoadC*>(*function);
  return Diagnostic{
      Severity::kError,
      fmt::format("the part of Weir that reads C programs cannot be loaded: {}", function.error()),
      {},
      "libweir_c.so is installed in lib/weir, next to bin/weir"};
}

}  // namespace

std::optional<Diagnostic> c_front_end_problem() {
  if (auto load = front_end(); !load) return load.error();
  return std::nullopt;
}

Expected<Program> load_by_c_module(const std::vector<std::string>& files, const COptions& options) {
  auto load = front_end();
  if (!load) return InputError{{}, {load.error()}, ""};
  const std::unique_ptr<Expected<Program>> program((**load)(files, options));
  return std::move(*program);
}

#else

std::optional<Diagnostic> c_front_end_problem() {
  return Diagnostic{Severity::kError,
                    "this Weir was built without LLVM",
                    {},
                    "install llvm-19-dev and clang-19, and build Weir again"};
}

Expected<Program> load_by_c_module(const std::vector<std::string>& files, const COptions&) {
  InputError error;
  const FileId file = error.sources.add(files.front(), "");
  error.diagnostics.push_back({Severity::kError,
                               "this is a C program, and this Weir was built without LLVM",
                               {file},
                               "install llvm-19-dev and clang-19, and build Weir again"});
  return error;
}

#endif

}  // namespace weir::verify
