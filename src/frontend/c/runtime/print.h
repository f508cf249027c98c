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
