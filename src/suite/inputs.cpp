#include "suite/inputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/file.hpp"
#include "frontend/c/c.hpp"
#include "trace/witness.hpp"
#include "verify/languages.hpp"
#include "verify/load.hpp"

namespace weir::suite {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSearchedLines = 40;  // of an input, for what it says about itself
constexpr std::array<std::string_view, 7> kVerdicts = {"safe",  "unsafe",    "unknown", "error",
                                                       "never", "sometimes", "always"};
constexpr std::array<std::string_view, 5> kCommentMarks = {"//", "(*", "/*", "#", "*"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The parts between separators, trimmed, without empty ones.
std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const auto part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// The words between blanks; what stands in quotes is part of one word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : text) {
    const bool ends = !quoted && (c == ' ' || c == '\t');
    if (c == '"') quoted = !quoted;
    if (!ends && !open) words.emplace_back();
    open = !ends;
    if (open && c != '"') words.back() += c;
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// "tso unsafe assertion", "all safe", "safe": the expectations it stands for; none if it cannot be read.
std::vector<Expectation> parse_expectation(const std::string& text) {
  std::vector<std::string> words = parts_of(lower(text), ' ');
  std::vector<std::optional<Model>> models{std::nullopt};
  if (!words.empty() && words[0] == "all") {
    models.assign(all_models().begin(), all_models().end());
    words.erase(words.begin());
  } else if (const auto model = words.empty() ? std::nullopt : parse_model(words[0])) {
    models = {*model};
    words.erase(words.begin());
  }
  if (words.empty() || words.size() > 2 || std::ranges::find(kVerdicts, words[0]) == kVerdicts.end())
    return {};
  if (words.size() == 2 && (words[0] != "unsafe" || !parse_violation_kind(words[1]))) return {};
  std::vector<Expectation> found;
  for (const std::optional<Model>& model : models)
    found.push_back({model, words[0], words.size() == 2 ? words[1] : ""});
  return found;
}

// What a comment says about a key: the rest of its line.
std::optional<std::string_view> said(std::string_view line, std::string_view key) {
  line = trimmed(line);
  const auto mark =
      std::ranges::find_if(kCommentMarks, [&](std::string_view known) { return line.starts_with(known); });
  if (mark == kCommentMarks.end()) return std::nullopt;
  line = trimmed(line.substr(mark->size()));
  if (!line.starts_with(key) || line.substr(key.size(), 1) != ":") return std::nullopt;
  line.remove_prefix(key.size() + 1);
  for (const std::string_view end : {"*)", "*/"})
    if (trimmed(line).ends_with(end)) line = trimmed(line).substr(0, trimmed(line).size() - end.size());
  return trimmed(line);
}

// Inputs may come from anywhere: what they ask for must not write files or load code.
bool is_harmless_for_compiler(std::string_view argument) {
  return std::ranges::any_of(std::array<std::string_view, 4>{"-D", "-U", "-I", "-std="},
                             [&](std::string_view start) { return argument.starts_with(start); });
}

class Collector {
 public:
  explicit Collector(const Places& places) : places_(places) {}

  Expected<std::vector<Input>> run() {
    for (const std::string& path : places_.paths) add_path(path);
    if (places_.manifest) read_manifest(*places_.manifest);
    if (!error_.diagnostics.empty()) return std::move(error_);
    for (auto& [file, mistake] : mistakes_) inputs_.push_back({.file = file, .problem = std::move(mistake)});
    // Two inputs that name each other are two programs.
    std::erase_if(inputs_, [&](const Input& input) {
      return input.companions.empty() && companions_.contains(normal(input.file));
    });
    if (inputs_.empty()) {
      error_.diagnostics.push_back({Severity::kError,
                                    "there is no input in this suite",
                                    {},
                                    "inputs are recognised by their suffix, as .c or .litmus"});
      return std::move(error_);
    }
    return std::move(inputs_);
  }

 private:
  static std::string normal(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

  static bool has_known_suffix(const std::string& file) {
    return verify::is_array_path(file) ||
           std::ranges::any_of(verify::languages(),
                               [&](const verify::Language& language) { return language.owns(file); });
  }

  void add_path(const std::string& path) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) return add_input(path);
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator entry(path, problem), end; !problem && entry != end;
         entry.increment(problem)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with('.') && entry->is_directory()) entry.disable_recursion_pending();
      if (!name.starts_with('.') && entry->is_regular_file() && has_known_suffix(name))
        found.push_back(entry->path().lexically_normal().string());
    }
    if (problem) complain({error_.sources.add(path, "")}, problem.message());
    std::ranges::sort(found);
    for (const std::string& file : found) add_input(file);
  }

  // What cannot be read is for its own run to say, and what may keep a reader waiting is for its own time.
  void add_input(const std::string& file) {
    Input input{.file = file, .litmus = file.ends_with(".litmus")};
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored))
      if (const auto text = read_file(file)) read_comments(input, text.value());
    inputs_.push_back(std::move(input));
  }

  void read_comments(Input& input, const std::string& text) {
    const FileId file = error_.sources.add(input.file, text);
    for (std::uint32_t number = 1; number <= kSearchedLines; ++number) {
      const std::string line(error_.sources.file(file).line(number));
      const SourcePosition here{file, number, 1};
      if (const auto value = said(line, "expect")) expect(input, *value, here);
      if (const auto value = said(line, "with"))
        for (const std::string& name : parts_of(*value, ' ')) take_companion(input, name, here);
      if (const auto value = said(line, "options")) take_options(input, *value, here);
      if (const auto value = said(line, "compiler")) take_compiler_arguments(input, *value, here);
      if (input.litmus && line.starts_with("Expect="))
        for (std::string part : parts_of(line.substr(7), ' ')) {
          std::ranges::replace(part, ':', ' ');
          expect(input, part, here);
        }
    }
  }

  // A source of C beside the input, and nothing else: what is no file, or in another folder, or would make
  // a suite of one input, is refused.
  void take_companion(Input& input, const std::string& name, SourcePosition here) {
    const fs::path path = fs::path(input.file).parent_path() / name;
    std::error_code ignored;
    const bool beside = fs::path(name).filename() == name && fs::is_regular_file(path, ignored);
    if (!is_c_path(input.file) || !is_c_path(name) || !beside)
      return complain(input, here, fmt::format("'{}' is no C source in the folder of this one", name),
                      "as in with: queue.c; headers are found by #include");
    if (normal(path) == normal(input.file))
      return complain(input, here, fmt::format("'{}' is this file itself", name), "");
    input.companions.push_back(path.string());
    companions_.insert(normal(path));
  }

  void take_options(Input& input, std::string_view words, SourcePosition here) {
    for (std::string& word : words_of(words)) input.options.push_back(std::move(word));
    if (const auto mistake = places_.options_mistake(input))
      complain(input, here, mistake->message, mistake->hint);
  }

  void take_compiler_arguments(Input& input, std::string_view words, SourcePosition here) {
    for (std::string& word : parts_of(words, ' ')) {
      if (!is_harmless_for_compiler(word))
        complain(input, here, fmt::format("an input cannot ask for {}", word), "give it on the command line");
      input.compiler_arguments.push_back(std::move(word));
    }
  }

  void expect(Input& input, std::string_view text, SourcePosition here) {
    for (const std::string& part : parts_of(text, ',')) {
      const std::vector<Expectation> found = parse_expectation(part);
      if (found.empty())
        complain(input, here, fmt::format("'{}' is no expectation", part),
                 "as in tso unsafe, sc unsafe assertion, all safe, error, pso sometimes");
      input.expectations.insert(input.expectations.end(), found.begin(), found.end());
    }
  }

  // A line for each input; paths are relative to the manifest.
  void read_manifest(const std::string& path) {
    auto text = read_file(path);
    if (!text) {
      error_ = std::move(text.error());
      return;
    }
    const FileId file = error_.sources.add(path, std::move(*text));
    const std::string whole = error_.sources.file(file).text;
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(whole, '\n')) + 1;
    for (std::uint32_t number = 1; number <= lines; ++number) {
      const std::string line(error_.sources.file(file).line(number));
      const std::string_view entry = trimmed(std::string_view(line).substr(0, line.find('#')));
      if (!entry.empty()) read_entry(entry, fs::path(path).parent_path(), {file, number, 1});
    }
  }

  void read_entry(std::string_view entry, const fs::path& folder, SourcePosition here) {
    const std::size_t colon = entry.rfind(':');
    if (colon == std::string_view::npos)
      return complain(here, "a line has the form PATH: EXPECTATION", "as in locks/spin.c: all safe");
    const std::string wanted = normal(folder / trimmed(entry.substr(0, colon)));
    bool known = false;
    for (Input& input : inputs_) {
      if (normal(input.file) != wanted) continue;
      known = true;
      input.expectations.clear();
      expect(input, entry.substr(colon + 1), here);
    }
    if (!known) complain(here, "no input of this suite has this path");
  }

  std::string rendered(SourcePosition position, std::string message, std::string hint) const {
    return render({Severity::kError, std::move(message), position, std::move(hint)}, error_.sources);
  }

  void complain(Input& input, SourcePosition position, std::string message, std::string hint) {
    input.problem += rendered(position, std::move(message), std::move(hint));
  }

  // About the file that the position is in, which is no input.
  void complain(SourcePosition position, std::string message, std::string hint = {}) {
    const std::string file = error_.sources.file(position.file).path;
    mistakes_[file] += rendered(position, std::move(message), std::move(hint));
  }

  const Places& places_;
  std::vector<Input> inputs_;
  std::set<std::string> companions_;             // parts of other inputs
  std::map<std::string, std::string> mistakes_;  // in manifests and folders, which are no inputs
  InputError error_;                             // why there is no suite; and all texts that were read
};

}  // namespace

Expected<std::vector<Input>> collect_inputs(const Places& places) { return Collector(places).run(); }

std::vector<std::string> files_of(const std::vector<Input>& inputs) {
  std::vector<std::string> files;
  for (const Input& input : inputs) {
    files.push_back(input.file);
    files.insert(files.end(), input.companions.begin(), input.companions.end());
  }
  return files;
}

}  // namespace weir::suite
