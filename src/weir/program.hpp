// A program to ask about. It is read once and never changes; copies share it, and any number of threads may
// ask about it at the same time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/result.hpp"
#include "weir/run.hpp"

namespace weir::v1 {

// A file, or its text where the caller has it: a program that was made, what an editor has not saved.
struct Input {
  std::string name;                 // the path; it says the language, and messages begin with it
  std::optional<std::string> text;  // instead of what is in the file

  Input(const char* path) : name(path) {}                            // NOLINT: implicit by design
  Input(std::string path) : name(std::move(path)) {}                 // NOLINT: implicit by design
  Input(const std::filesystem::path& path) : name(path.string()) {}  // NOLINT: implicit by design

  // The text is taken to be a file of this name: its suffix says the language, unless LoadOptions do, and what
  // a C text includes is looked for beside it.
  static Input from_text(std::string text, std::string name) {
    Input input(std::move(name));
    input.text = std::move(text);
    return input;
  }
};

// How C and C++ programs are read; docs/c.md says more.
struct COptions {
  std::vector<std::string> compiler_arguments = {};  // for clang: -I, -D, -std and others
  std::uint32_t unroll = 0;  // follow only executions that repeat no loop more often; 0: as often as it likes
  std::uint32_t threads = 0;  // … with at most so many threads, main included; 0: as many as it creates
  std::int64_t nondet_low = 0, nondet_high = 3;  // what __VERIFIER_nondet_int() and the like return
  bool spurious_wakeups = true;                  // waiting for a condition variable may end without a signal
  bool failing_malloc = false;                   // malloc() may return a null pointer
  bool strict = false;  // anything that is not supported is an error, even where no execution reaches it
};

struct LoadOptions {
  // "weir", "trencher", "imp", "rmm", "litmus", "array" or "c"; "auto" goes by suffix, then by content.
  std::string language = "auto";
  COptions c = {};
  bool fail_outside_range = false;  // RMM: a value outside its range is a failure; else the step is not taken
  RunOptions run = {};
};

class WEIR_API Program {
 public:
  static Result<Program> load(const Input& file, const LoadOptions& options = {});
  // C files that together are one program.
  static Result<Program> load_together(const std::vector<Input>& files, const LoadOptions& options = {});

  const std::string& language() const;
  // Of any number of processes (.cub). Such a system has no threads.
  bool is_array_system() const;

  // Those that were given, and others that its instructions stand in: headers.
  std::vector<std::string> files() const;
  std::vector<std::string> threads() const;
  // Those that threads share.
  std::vector<std::string> variables() const;
  // What it leaves out of what its author wrote: a program with restrictions is never said to be safe.
  std::vector<std::string> restrictions() const;

  // The program in Weir's own form, or in another language if that can say it.
  Result<std::string> text(const std::string& language = "weir") const;

  struct Content;
  explicit Program(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace weir::v1
