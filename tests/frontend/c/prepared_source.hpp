// For tests of the C front end: a module prepared from a piece of source, and what is in it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>
#include <string>

#include "frontend/c/module.hpp"

namespace weir::test {

// A folder that is gone after the test.
class SourceFolder {
 public:
  SourceFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-c-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  SourceFolder(const SourceFolder&) = delete;
  SourceFolder& operator=(const SourceFolder&) = delete;
  ~SourceFolder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string all_messages(const InputError& error) {
  std::string text = error.verbatim;
  for (const Diagnostic& diagnostic : error.diagnostics) text += render(diagnostic, error.sources);
  return text;
}

// The source prepared; the test fails if that is not possible.
inline c::PreparedModule prepared(const std::string& source, const COptions& options = {},
                                  const std::string& name = "test.c") {
  const SourceFolder folder;
  auto result = c::prepare_module({folder.write(name, source)}, options);
  if (!result) {
    ADD_FAILURE() << all_messages(result.error());
    return {};
  }
  return std::move(*result);
}

inline std::string text_of(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

using InstructionTest = std::function<bool(const llvm::Instruction&)>;

inline std::size_t count(const llvm::Function& function, const InstructionTest& test) {
  std::size_t number = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    number += test(instruction) ? 1 : 0;
  return number;
}

inline std::size_t count(const c::PreparedModule& prepared, const InstructionTest& test) {
  std::size_t number = 0;
  for (const llvm::Function& function : *prepared.module) number += count(function, test);
  return number;
}

// Accesses to the global of that name, directly or to a part of it.
inline InstructionTest loads_of(const std::string& name) {
  return [name](const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load != nullptr && load->getPointerOperand()->stripInBoundsOffsets()->getName() == name;
  };
}

inline InstructionTest stores_to(const std::string& name) {
  return [name](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store != nullptr && store->getPointerOperand()->stripInBoundsOffsets()->getName() == name;
  };
}

inline InstructionTest calls_of(const std::string& name) {
  return [name](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == name;
  };
}

inline std::size_t loads(const c::PreparedModule& prepared, const std::string& name) {
  return count(prepared, loads_of(name));
}
inline std::size_t stores(const c::PreparedModule& prepared, const std::string& name) {
  return count(prepared, stores_to(name));
}
inline std::size_t calls(const c::PreparedModule& prepared, const std::string& name) {
  return count(prepared, calls_of(name));
}

// The calls that stand for a value that was never written, by the name of the variable.
inline std::size_t uninitialised(const c::PreparedModule& prepared, const std::string& variable) {
  return count(prepared, [&](const llvm::Instruction& instruction) {
    const llvm::MDNode* name = instruction.getMetadata("weir.variable");
    return name != nullptr && llvm::cast<llvm::MDString>(name->getOperand(0))->getString() == variable;
  });
}

// Names of the allocas that are left, private or not.
inline std::vector<std::string> allocas(const c::PreparedModule& prepared, bool are_private) {
  std::vector<std::string> names;
  for (const llvm::Function& function : *prepared.module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (prepared.private_allocas.contains(variable) == are_private)
          names.push_back(variable->getName().str());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace weir::test
