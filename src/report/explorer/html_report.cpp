#include "report/explorer/html_report.hpp"

#include "base/error.hpp"

namespace weir {

namespace {

// Stands in the page where the data goes; index.html of web/ has it.
constexpr std::string_view kPlaceholder = "__WEIR_DATA__";
constexpr std::string_view kTitle = "<title>Weir</title>";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

void replace(std::string& page, std::string_view what, std::string_view with) {
  const std::size_t at = page.find(what);
  WEIR_CHECK(at != std::string::npos, "the page has a place for its title and its data");
  page.replace(at, what.size(), with);
}

}  // namespace

// "<" occurs in JSON in strings only, where \u003c is the same; so do the two separators of lines that
// scripts and JSON treat differently.
std::string script_text(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace))
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string html_report(const ExplorerPage& page, const RunInfo& run) {
  std::string html(explorer_template());
  replace(html, kTitle, "<title>" + escaped(page.headline + " – " + run.file) + "</title>");
  replace(html, kPlaceholder, script_text(explorer_json(page, run)));
  return html;
}

}  // namespace weir
