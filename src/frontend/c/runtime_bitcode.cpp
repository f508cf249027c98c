#include "frontend/c/runtime_bitcode.hpp"

// The build passes the path of the bitcode, which the assembler puts into the object file.
asm(R"(
  .pushsection .rodata
  .balign 16
  .type weir_runtime_bitcode, @object
weir_runtime_bitcode:
  .incbin ")" WEIR_RUNTIME_BITCODE R"("
weir_runtime_bitcode_end:
  .byte 0
  .popsection
)");

namespace weir::c {

namespace {

extern "C" const char weir_runtime_bitcode[];
extern "C" const char weir_runtime_bitcode_end[];

}  // namespace

std::string_view runtime_bitcode() {
  return {weir_runtime_bitcode, static_cast<std::size_t>(weir_runtime_bitcode_end - weir_runtime_bitcode)};
}

}  // namespace weir::c
