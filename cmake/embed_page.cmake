# Writes the bytes of PAGE as a C++ array to OUTPUT.
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
       "${bytes}")
file(WRITE ${OUTPUT}.new "#include \"report/explorer/html_report.hpp\"

namespace weir {

namespace {
const unsigned char kPage[] = {
${bytes}
};
}  // namespace

std::string_view explorer_template() { return {reinterpret_cast<const char*>(kPage), sizeof(kPage)}; }

}  // namespace weir
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
