// Protects what goes into XML files: whatever names and messages contain, the file stays well formed.
#include "report/svcomp/xml.hpp"

#include <gtest/gtest.h>

namespace weir::xml_test {

TEST(Xml, WritesReferencesForWhatHasAMeaning) {
  EXPECT_EQ(xml_text("a<b>&\"c\"\n"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;");
  EXPECT_EQ(xml_text("\xc3\x9c"
                     "ber \xf0\x9f\x98\x80"),
            "\xc3\x9c"
            "ber \xf0\x9f\x98\x80");
}

TEST(Xml, ReplacesWhatCannotBeSaid) {
  EXPECT_EQ(xml_text("a\x01"
                     "b\x1b"
                     "c"),
            "a?b?c");
  EXPECT_EQ(xml_text("\xff\xfe"), "??");
  EXPECT_EQ(xml_text("\xc3"), "?");          // cut off
  EXPECT_EQ(xml_text("\xc0\x80"), "??");     // longer than necessary
  EXPECT_EQ(xml_text("\xed\xa0\x80"), "?");  // half of a pair
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "?");  // no character
  EXPECT_EQ(xml_text(std::string_view("\0", 1)), "?");
}

}  // namespace weir::xml_test
