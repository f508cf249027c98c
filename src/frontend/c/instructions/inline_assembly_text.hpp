// The text of inline assembly, taken apart: statements of a mnemonic and its operands, in AT&T syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::c {

struct AssemblyOperand {
  enum class Kind : std::uint8_t {
    kPlaceholder,  // an operand of the asm statement, by number
    kRegister,     // by name, "a" for al, ax, eax and rax
    kImmediate,
    kIndirect,  // memory: a displacement, and the address in a placeholder or register
  };
  Kind kind = Kind::kPlaceholder;
  unsigned number = 0;     // of the placeholder, also for kIndirect
  std::string reg;         // kRegister; kIndirect if the address is in a register with a name
  std::int64_t value = 0;  // kImmediate; the displacement of kIndirect
  unsigned bits = 0;       // as the name of the register or a modifier says; 0: not said
};

struct AssemblyStatement {
  bool locked = false;
  std::string mnemonic;
  std::vector<AssemblyOperand> operands;
};

// None if a part of the text is not understood. An empty template is no statements.
std::optional<std::vector<AssemblyStatement>> parse_assembly(std::string_view text);

// "a" and 32 for "eax"; none for other registers.
struct RegisterName {
  std::string name;
  unsigned bits = 0;
};
std::optional<RegisterName> parse_register(std::string_view text);

}  // namespace weir::c
