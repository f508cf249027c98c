// Output. Nobody sees it, but printing a string reads it. That always succeeds; results are those of the
// GNU C library. Calls with a format become calls of the functions below (library/formats.cpp).
#include "print.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#undef putc
#undef putchar

int puts(const char* text) { return (int)strlen(text) + 1; }

int fputs(const char* text, FILE* stream) {
  (void)stream;
  (void)strlen(text);
  return 1;
}

int fputc(int character, FILE* stream) {
  (void)stream;
  return (unsigned char)character;
}

int putc(int character, FILE* stream) { return fputc(character, stream); }
int putchar(int character) { return (unsigned char)character; }

static void read_bytes(const void* memory, size_t size) {
  const volatile unsigned char* bytes = memory;
  for (size_t i = 0; i < size; i++) (void)bytes[i];
}

size_t fwrite(const void* items, size_t size, size_t count, FILE* stream) {
  (void)stream;
  read_bytes(items, size * count);
  return size ? count : 0;
}

ssize_t write(int file, const void* bytes, size_t size) {
  (void)file;
  read_bytes(bytes, size);
  return (ssize_t)size;
}

void perror(const char* text) {
  if (text) (void)strlen(text);
}

// The library would write what is printed into the buffer.
int setvbuf(FILE* stream, char* buffer, int mode, size_t size) {
  (void)stream, (void)mode, (void)size;
  if (buffer) __weir_give_up("setvbuf() with a buffer of the program");
  return 0;
}

void setbuf(FILE* stream, char* buffer) {
  (void)stream;
  if (buffer) __weir_give_up("setbuf() with a buffer of the program");
}

// --- Formats

static void put(struct __weir_sink* sink, char character) {
  if (sink->to && sink->length < sink->room) sink->to[sink->length] = character;
  sink->length++;
}

static void fill(struct __weir_sink* sink, char character, long count) {
  for (; count > 0; count--) put(sink, character);
}

void __weir_print_character(struct __weir_sink* sink, int character, int flags, int width) {
  if (!(flags & kLeft)) fill(sink, ' ', width - 1);
  put(sink, (char)character);
  if (flags & kLeft) fill(sink, ' ', width - 1);
}

// A precision below 0 is none.
void __weir_print_string(struct __weir_sink* sink, const char* text, int flags, int width, int precision) {
  size_t length = precision < 0 ? strlen(text) : strnlen(text, (size_t)precision);
  long padding = (long)width - (long)length;
  if (!(flags & kLeft)) fill(sink, ' ', padding);
  if (sink->to) {
    for (size_t i = 0; i < length; i++) put(sink, text[i]);
  } else {
    sink->length += length;
  }
  if (flags & kLeft) fill(sink, ' ', padding);
}

enum { kMostDigits = 22 };  // of 64 bits, in base 8

void __weir_print_number(struct __weir_sink* sink, unsigned long long number, int negative, int base,
                         int flags, int width, int precision) {
  char digits[kMostDigits];
  int count = 0;
  for (unsigned long long rest = number; rest; rest /= (unsigned)base) {
    unsigned digit = (unsigned)(rest % (unsigned)base);
    digits[count++] = (char)(digit < 10 ? '0' + digit : (flags & kUpper ? 'A' : 'a') + digit - 10);
  }
  long zeros = (precision < 0 ? 1 : precision) - count;
  if (zeros < 0) zeros = 0;
  if ((flags & kAlternate) && base == 8 && zeros == 0 && (count == 0 || digits[count - 1] != '0')) zeros = 1;
  int prefixed = base == 16 && ((flags & kPointer) || ((flags & kAlternate) && number != 0));
  char sign = negative ? '-' : (flags & kPlus) ? '+' : (flags & kSpace) ? ' ' : 0;
  long padding = width - count - zeros - (sign != 0) - (prefixed ? 2 : 0);
  if (!(flags & kLeft) && (flags & kZeros) && precision < 0 && padding > 0) {
    zeros += padding;
    padding = 0;
  }
  if (!(flags & kLeft)) fill(sink, ' ', padding);
  if (sign) put(sink, sign);
  if (prefixed) {
    put(sink, '0');
    put(sink, flags & kUpper ? 'X' : 'x');
  }
  fill(sink, '0', zeros);
  while (count > 0) put(sink, digits[--count]);
  if (flags & kLeft) fill(sink, ' ', padding);
}

void __weir_print_pointer(struct __weir_sink* sink, const void* pointer, int flags, int width) {
  if (pointer)
    __weir_print_number(sink, (uintptr_t)pointer, 0, 16, flags | kPointer, width, -1);
  else
    __weir_print_string(sink, "(nil)", flags, width, -1);
}

int __weir_print_end(struct __weir_sink* sink) {
  if (sink->to) sink->to[sink->length < sink->room ? sink->length : sink->room] = 0;
  return (int)sink->length;
}

// Where nobody needs the number of characters.
void __weir_read_string(const char* text) { (void)strlen(text); }

void __weir_read_text(const char* text, int precision) {
  if (precision < 0)
    (void)strlen(text);
  else
    (void)strnlen(text, (size_t)precision);
}

// A format that is not known before: without conversions it is a text.
void __weir_read_format(const char* format) {
  for (; *format; format++) {
    if (*format != '%') continue;
    if (*++format != '%') __weir_give_up("a format that is not a constant has conversions");
  }
}
