#include "report/error_report.hpp"

#include <map>
#include <regex>
#include <sstream>

#include "report/json/parts.hpp"

namespace weir {

namespace {

Json diagnostic_json(const Diagnostic& diagnostic, const SourceMap& sources) {
  Json out;
  out["severity"] = name(diagnostic.severity);
  out["message"] = diagnostic.message;
  const FileId file = diagnostic.position.file;
  out["file"] = file ? Json(sources.file(file).path) : Json(nullptr);
  out["line"] = diagnostic.position.line;
  out["column"] = diagnostic.position.column;
  if (!diagnostic.hint.empty()) out["hint"] = diagnostic.hint;
  return out;
}

Severity severity_named(const std::string& word) {
  if (word == "warning") return Severity::kWarning;
  return word == "note" ? Severity::kNote : Severity::kError;
}

std::uint32_t number(const std::string& digits) {
  return static_cast<std::uint32_t>(std::strtoul(digits.c_str(), nullptr, 10));
}

}  // namespace

std::string error_json(const std::string& reason, const std::vector<Diagnostic>& diagnostics,
                       const SourceMap& sources, const RunInfo& run) {
  const Bound no_bound;
  const Statistics no_figures;
  Json out = answer_json({"none", "error", reason, no_bound, no_figures}, run);
  out["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : diagnostics)
    out["diagnostics"].push_back(diagnostic_json(diagnostic, sources));
  return dump(out);
}

InputError compiler_messages(std::string_view text) {
  static const std::regex kLocated(R"((.+?):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*))");
  static const std::regex kOther(R"((?:clang[^:]*: )?(?:fatal )?(error): (.*))");
  InputError found;
  std::map<std::string, FileId> files;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 10'000) continue;  // what a regular expression would need too much stack for
    std::smatch part;
    if (std::regex_match(line, part, kLocated)) {
      const auto [file, fresh] = files.try_emplace(part[1]);
      if (fresh) file->second = found.sources.add(part[1], "");
      found.diagnostics.push_back(
          {severity_named(part[4]), part[5], {file->second, number(part[2]), number(part[3])}, ""});
    } else if (std::regex_match(line, part, kOther)) {
      found.diagnostics.push_back({Severity::kError, part[2], {}, ""});
    }
  }
  return found;
}

}  // namespace weir
