// Text inside of XML, between tags and in attributes.
#pragma once

#include <string>
#include <string_view>

namespace weir {

// Characters with a meaning in XML are written as references. What XML 1.0 cannot say, control characters and
// bytes that are not UTF-8, becomes a question mark.
std::string xml_text(std::string_view text);

}  // namespace weir
