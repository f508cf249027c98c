// Where in the user's sources the parts of an LLVM module stand. Source texts are read when a position in
// them is first asked for, so that reports can show the lines: of files that the compiler has read, and of
// other sources in the folder of the program, such as those that a preprocessed file was made from.
#pragma once

#include <filesystem>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Instruction.h>
#include <string>
#include <unordered_map>

#include "base/source.hpp"

namespace weir::c {

class Positions {
 public:
  // The program is in the file, or begins there.
  Positions(SourceMap& sources, const std::filesystem::path& program)
      : sources_(sources), folder_(program.has_parent_path() ? program.parent_path() : ".") {}

  // Of the innermost function where code was inlined. Unknown if the location is none or made by the
  // compiler.
  SourcePosition of(const llvm::DebugLoc& location);
  SourcePosition of(const llvm::DISubprogram* function);
  SourcePosition of(const llvm::DIVariable* variable);
  // Of one function alone, whatever it was copied into.
  SourcePosition of(const llvm::DILocation& location);
  // Is the file no part of the program, but of the system or of the compiler?
  bool is_foreign(const llvm::DIFile* file) const;
  // For messages: of the instruction, or else of the one nearest to it in its block, or of the function.
  SourcePosition near(const llvm::Instruction& instruction);

 private:
  SourcePosition at(const llvm::DIFile* file, std::uint32_t line, std::uint32_t column);
  FileId file_of(const llvm::DIFile* file);
  std::string shown_text(const llvm::DIFile& file, const std::filesystem::path& path) const;

  SourceMap& sources_;
  std::filesystem::path folder_;
  std::unordered_map<const llvm::DIFile*, FileId> by_node_;
  std::unordered_map<std::string, FileId> by_path_;
};

}  // namespace weir::c
