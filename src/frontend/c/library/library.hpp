// The functions of the C library, of POSIX threads and of verification tasks that programs may call: one
// table says of each what it does with its arguments and who sees to that. Whatever is not in it, and not
// defined by the program, is refused by name.
//
// Most are functions of the runtime (src/frontend/c/runtime), written in C: their accesses to memory are
// loads and stores like those of the program. A test compares the table with what the runtime defines, and
// with the list in docs/c.md.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <optional>
#include <string>

namespace weir::c {

enum class Treatment : std::uint8_t {
  kRuntime,    // the runtime defines it
  kFormatted,  // calls become calls of the runtime for every conversion in the format (library_formats)
  kLowered,    // the lowering knows it (lowering_external)
  kIgnored,    // has no effect that a thread could see, and gives 0
  kAdapted,    // calls become calls of the runtime with other arguments (system_calls)
};

// `arguments` has one letter for each:
//
//   v  a number, or a pointer of which nothing is accessed    s  a string, read up to its end
//   t  a string, read up to its end or a given length          r  an object or array that is read
//   w  one that is written                                     u  one that is read and written
//   f  a format                                                .  what the format asks for
//   c  a function that is called                               l  a list of arguments (va_list)
struct LibraryFunction {
  llvm::StringLiteral name;
  llvm::StringLiteral header;
  llvm::StringLiteral arguments;
  Treatment treatment = Treatment::kRuntime;
};

llvm::ArrayRef<LibraryFunction> library_functions();
// Null if it is none of them.
const LibraryFunction* library_function(llvm::StringRef name);

// The number of the argument that is the format.
std::optional<unsigned> format_argument(const LibraryFunction& function);

// For docs/c.md: a table of the headers and their functions.
std::string library_in_words();

}  // namespace weir::c
