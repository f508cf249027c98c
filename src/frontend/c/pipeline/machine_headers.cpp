#include "frontend/c/pipeline/machine_headers.hpp"

#include <fstream>

#include "frontend/c/c.hpp"

namespace weir::c {

namespace {

constexpr const char* kCommon = "/usr/include/x86_64-linux-gnu";
constexpr const char* kMissing = "gnu/stubs-32.h";

bool are_installed() {
  std::error_code ignored;
  for (const char* folder : {"/usr/include", "/usr/include/i386-linux-gnu"})
    if (std::filesystem::exists(std::filesystem::path(folder) / kMissing, ignored)) return true;
  return false;
}

}  // namespace

MachineHeaders::MachineHeaders(const std::vector<std::string>& arguments)
    : narrow_(is_for_narrow_machine(arguments)) {
  if (!narrow_ || are_installed()) return;
  made_.emplace();
  const std::filesystem::path missing = made_->path() / kMissing;
  std::error_code ignored;
  std::filesystem::create_directories(missing.parent_path(), ignored);
  std::ofstream{missing};
}

std::vector<std::string> MachineHeaders::arguments() const {
  if (!made_) return {};
  return {"-idirafter", made_->path().string(), "-idirafter", kCommon};
}

}  // namespace weir::c
