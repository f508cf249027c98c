// The explorer page: one HTML file that needs nothing else.
#pragma once

#include <string>
#include <string_view>

#include "report/explorer/explorer.hpp"

namespace weir {

// The page of web/dist/explorer.html, which the binary carries, with the data in its place.
std::string html_report(const ExplorerPage& page, const RunInfo& run);

// The data as the text of a script element: nothing in it ends the element or starts a comment.
std::string script_text(const Json& json);

// The bytes of web/dist/explorer.html; defined by a generated file.
std::string_view explorer_template();

}  // namespace weir
