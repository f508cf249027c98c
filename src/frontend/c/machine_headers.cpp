#include "frontend/c/machine_headers.hpp"

#include <fstream>

namespace weir::c {

namespace {

constexpr const char* kOfNarrowMachines = "/usr/include/i386-linux-gnu";
constexpr const char* kCommon = "/usr/include/x86_64-linux-gnu";
constexpr const char* kMissing = "gnu/stubs-32.h";

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The last one counts, as for clang.
bool wants_narrow(const std::vector<std::string>& arguments) {
  bool narrow = false;
  for (const std::string& argument : arguments) {
    if (argument == "-m32" || argument == "-m64") narrow = argument == "-m32";
    if (argument.starts_with("--target=")) narrow = argument.find("=i") != std::string::npos;
  }
  return narrow;
}

}  // namespace

MachineHeaders::MachineHeaders(const std::vector<std::string>& arguments) : narrow_(wants_narrow(arguments)) {
  if (!narrow_ || is_there(std::filesystem::path("/usr/include") / kMissing) || is_there(kOfNarrowMachines) ||
      !is_there(kCommon))
    return;
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
