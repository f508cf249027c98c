// The one table of the languages in which programs are written. Who reads a program, goes by its suffix,
// converts it or puts fences into it asks it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/imp/fence_edits.hpp"
#include "frontend/rmm/rmm.hpp"
#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir::verify {

// What a language leaves to its users.
struct Dialect {
  OutsideRange outside_range = OutsideRange::kBlocks;  // RMM
};

// A way to write fences into the files of a program.
using FencedFiles = std::vector<FileEdits>;

struct Language {
  std::string_view name;                          // "imp"
  std::span<const std::string_view> suffixes;     // ".imp"
  std::span<const std::string_view> first_words;  // of a text that has another suffix, or none
  // Null if a program is more than a text: it is compiled.
  Expected<Program> (*parse)(const std::string& path, std::string text, const Dialect& dialect) = nullptr;
  // Null if nothing can be said in it, or nobody knows how.
  Expected<std::string, std::vector<Diagnostic>> (*print)(const Program& program) = nullptr;

  // Per location, can a fence be put there? Null: wherever there is an instruction.
  std::vector<bool> (*fence_sites)(const Program& program, const std::string& text) = nullptr;
  // Which locations are one place of the text (see FenceOptions::place). Null: each is a place of its own.
  std::vector<LocationId> (*fence_places)(const Program& program) = nullptr;
  // Those fences that are two in the text to mean the same: one before a loop, and one inside. Null: none.
  std::vector<LoopFences> (*loop_fences)(const Program& program, const std::string& text,
                                         const std::vector<LocationId>& fences) = nullptr;
  // What to change in the text to put these fences in. Null if it cannot be done, or not in one file.
  std::vector<TextEdit> (*fence_edits)(const Program& program, const std::string& text,
                                       const std::vector<LocationId>& fences,
                                       const std::vector<LoopFences>& loops) = nullptr;

  bool compiled() const { return parse == nullptr; }
  bool owns(std::string_view path) const;  // by its suffix
};

std::span<const Language> languages();
// Null if there is none of this name.
const Language* find_language(std::string_view name);
// By suffix, then by the first few kilobytes; null if neither tells.
const Language* recognise(std::string_view path, std::string_view text);

}  // namespace weir::verify
