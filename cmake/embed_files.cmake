# Writes the texts of FILES as C++ arrays to OUTPUT.
set(arrays "")
set(entries "")
set(number 0)
foreach(path IN LISTS FILES)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
         "${bytes}")
  get_filename_component(name ${path} NAME)
  string(APPEND arrays "const unsigned char kFile${number}[] = {\n${bytes}\n};\n")
  string(APPEND entries "    {\"${name}\", {reinterpret_cast<const char*>(kFile${number}), sizeof(kFile${number})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "#include \"native/runtime_files.hpp\"

namespace weir::native {

namespace {
${arrays}
const std::pair<std::string_view, std::string_view> kFiles[] = {
${entries}};
}  // namespace

std::span<const std::pair<std::string_view, std::string_view>> runtime_files() { return kFiles; }

}  // namespace weir::native
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
