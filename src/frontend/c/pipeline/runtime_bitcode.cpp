#include "frontend/c/pipeline/runtime_bitcode.hpp"

#include <cstddef>

// The build passes the paths of the bitcode, which the assembler puts into the object file.
asm(R"(
  .pushsection .rodata
  .balign 16
  .type weir_runtime_64, @object
weir_runtime_64:
  .incbin ")" WEIR_RUNTIME_64 R"("
weir_runtime_64_end:
  .byte 0
  .balign 16
  .type weir_runtime_32, @object
weir_runtime_32:
  .incbin ")" WEIR_RUNTIME_32 R"("
weir_runtime_32_end:
  .byte 0
  .popsection
)");

namespace weir::c {

namespace {

extern "C" const char weir_runtime_64[];
extern "C" const char weir_runtime_64_end[];
extern "C" const char weir_runtime_32[];
extern "C" const char weir_runtime_32_end[];

std::string_view between(const char* start, const char* end) {
  return {start, static_cast<std::size_t>(end - start)};
}

}  // namespace

std::string_view runtime_bitcode(DataModel model) {
  return model == DataModel::kLp64 ? between(weir_runtime_64, weir_runtime_64_end)
                                   : between(weir_runtime_32, weir_runtime_32_end);
}

}  // namespace weir::c
