// Where the characters of formatted output go: to `to`, as long as there is room, and into the count.
#pragma once

#include <stddef.h>

struct __weir_sink {
  char* to;       // null: nowhere
  size_t room;    // for so many characters, the end of the string not counted
  size_t length;  // of what was written, or would have been with more room
};

// The flags of a conversion.
enum { kLeft = 1, kZeros = 2, kPlus = 4, kSpace = 8, kAlternate = 16, kUpper = 32, kPointer = 64 };

void __weir_print_character(struct __weir_sink* sink, int character, int flags, int width);
void __weir_print_string(struct __weir_sink* sink, const char* text, int flags, int width, int precision);
void __weir_print_number(struct __weir_sink* sink, unsigned long long number, int negative, int base,
                         int flags, int width, int precision);
void __weir_print_pointer(struct __weir_sink* sink, const void* pointer, int flags, int width);
int __weir_print_end(struct __weir_sink* sink);
