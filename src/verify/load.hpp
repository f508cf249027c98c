// From files to a program: its language is recognised, it is read, and it is well formed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.hpp"
#include "frontend/c/c.hpp"
#include "program/array/system.hpp"
#include "program/program.hpp"
#include "verify/languages.hpp"

namespace weir::verify {

// Where a program comes from, and how it is to be read.
struct Source {
  std::vector<std::string> files;  // one; all those of a C program
  std::string language = "auto";   // or one of the table (languages.hpp)
  Dialect dialect;
  COptions c;
  std::filesystem::path folder;  // for temporary files; empty: the system's
  // By path: of files whose text the caller has. What the disk has there, if anything, does not count.
  std::map<std::string, std::string> texts = {};

  // Are the files compiled together, whatever is in them?
  bool compiled() const;
};

struct Loaded {
  Program program;
  const Language* language = nullptr;
  std::string text;  // empty if it was compiled
};

// The context stops a compiler, too.
Expected<Loaded> load(const Source& source, Context& context);
// The same for a text that the caller has; not for languages that are compiled.
Expected<Loaded> load_text(const Source& source, std::string text);
// The program with these changes to its files, which stay as they are.
Expected<Program> load_changed(const Source& source, const std::vector<FileEdits>& changes, Context& context);

bool is_replay_file(std::string_view path, std::string_view text);

// Systems of any number of processes, and the programs that they are with a given number.
bool is_array_path(std::string_view path);
Expected<array::ArraySystem> load_array_system(const std::string& path);
Expected<array::ArraySystem> load_array_text(const std::string& path, std::string text);
Expected<Program> array_instance(array::ArraySystem system, std::uint64_t processes);

}  // namespace weir::verify
