// Files of a C program whose text the caller has: what an editor has not saved, a program that was made, the
// program with fences in it. The compiler reads files, so these texts are put into a folder. A file that is
// there is read from it instead (clang's -ivfsoverlay); one that is not gets another name for the compiler,
// which is then taken back in all that came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "verify/load.hpp"

namespace weir::verify {

class KnownTexts {
 public:
  explicit KnownTexts(const Source& source);

  // Why they could not be written.
  const std::optional<Diagnostic>& problem() const { return problem_; }
  // What to compile, and how.
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& arguments() const { return arguments_; }

  // The names and texts that the caller knows.
  void restore(Program& program) const;
  void restore(InputError& error) const;

 private:
  void stage(const std::string& path, const std::string& text);
  bool is_compiled(const std::string& path) const;  // or included
  SourceMap restored(const SourceMap& sources) const;
  std::string known_name(const std::string& path) const;

  const Source& source_;
  std::optional<TemporaryFolder> folder_;
  std::vector<std::string> files_, arguments_;
  std::vector<std::pair<std::string, std::string>> renamed_;  // what the compiler sees, what the caller knows
  std::vector<std::pair<std::string, std::string>> overlaid_;  // an absolute path, the file with its text
  std::optional<Diagnostic> problem_;
};

}  // namespace weir::verify
