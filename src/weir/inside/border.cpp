#include "weir/inside/border.hpp"

#include <fmt/format.h>
#include <new>
#include <set>

#include "base/error.hpp"
#include "report/error_report.hpp"
#include "report/text/terminal.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

namespace {

Severity severity(weir::Severity severity) {
  switch (severity) {
    case weir::Severity::kError: return Severity::kError;
    case weir::Severity::kWarning: return Severity::kWarning;
    case weir::Severity::kNote: return Severity::kNote;
  }
  return Severity::kError;
}

Error error_of(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::string text = {}) {
  for (const Diagnostic& diagnostic : diagnostics) text += diagnostic.text;
  return {kind, std::move(diagnostics), std::move(text)};
}

Error brief_error(ErrorKind kind, std::string message, std::string hint) {
  return error_of(kind, {shown({weir::Severity::kError, std::move(message), {}, std::move(hint)}, {})});
}

Error internal_error(const std::string& message) {
  return brief_error(ErrorKind::kInternal, "internal error: " + message,
                     fmt::format("this is a bug in Weir {}: please report it, with the program", version()));
}

// Threads that share code complain about the same place: once is enough.
void add_different(std::vector<Diagnostic>& out, const std::vector<weir::Diagnostic>& all,
                   const SourceMap& sources) {
  std::set<std::string> texts;
  for (const weir::Diagnostic& diagnostic : all)
    if (Diagnostic found = shown(diagnostic, sources); texts.insert(found.text).second)
      out.push_back(std::move(found));
}

// A compiler has said it in its own words, or Weir has, or both.
Error input_error(const InputError& problem) {
  std::vector<Diagnostic> own, all;
  if (!problem.verbatim.empty()) {
    const InputError said = compiler_messages(problem.verbatim);
    add_different(all, said.diagnostics, said.sources);
  }
  add_different(own, problem.diagnostics, problem.sources);
  Error error = error_of(ErrorKind::kInput, own, problem.verbatim);
  all.insert(all.end(), own.begin(), own.end());
  error.diagnostics = std::move(all);
  if (error.diagnostics.empty()) return brief_error(ErrorKind::kInput, problem.verbatim, "");
  return error;
}

}  // namespace

void fail(ErrorKind kind, std::string message, std::string hint) {
  throw Failed{brief_error(kind, std::move(message), std::move(hint))};
}

void fail_usage(std::string message, std::string hint) {
  fail(ErrorKind::kUsage, std::move(message), std::move(hint));
}

void fail_input(const InputError& problem) { throw Failed{input_error(problem)}; }

void fail_input(const weir::Diagnostic& problem, const SourceMap& sources) {
  throw Failed{error_of(ErrorKind::kInput, {shown(problem, sources)})};
}

Diagnostic shown(const weir::Diagnostic& diagnostic, const SourceMap& sources) {
  const SourcePosition& position = diagnostic.position;
  return {.severity = severity(diagnostic.severity),
          .message = diagnostic.message,
          .hint = diagnostic.hint,
          .file = position.file ? sources.file(position.file).path : "",
          .line = position.line,
          .column = position.column,
          .text = printable_lines(render(diagnostic, sources), false)};
}

void add_shown(std::vector<Diagnostic>& out, const std::vector<weir::Diagnostic>& all,
               const SourceMap& sources) {
  for (const weir::Diagnostic& diagnostic : all) out.push_back(shown(diagnostic, sources));
}

Error error_of_exception() {
  try {
    throw;
  } catch (const Failed& failed) {
    return failed.error;
  } catch (const std::bad_alloc&) {
    return brief_error(ErrorKind::kInternal, "there is no memory left", "");
  } catch (const std::exception& problem) {
    return internal_error(problem.what());
  } catch (...) {
    return internal_error("something else than an exception was thrown");
  }
}

}  // namespace weir::v1
