// Formatted output whose arguments are in a list (va_list): the format is read as the program runs. Otherwise as in print.c.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "print.h"

// The list is in a structure, because it may be an array, which a function could not take by its address.
struct arguments {
  va_list list;
};

struct conversion {
  int flags, width, precision;
  int longs;  // "l": 1, "ll" and "j": 2, "h": -1, "hh": -2; sizes are longs
  char kind;
};

static int flag_of(char character) {
  switch (character) {
    case '-': return kLeft;
    case '0': return kZeros;
    case '+': return kPlus;
    case ' ': return kSpace;
    case '#': return kAlternate;
    default: return 0;
  }
}

static const char* read_number(const char* format, struct arguments* arguments, int* number) {
  if (*format == '*') {
    *number = va_arg(arguments->list, int);
    return format + 1;
  }
  for (*number = 0; *format >= '0' && *format <= '9'; format++) *number = 10 * *number + (*format - '0');
  if (*format == '$') __weir_give_up("a format with arguments by their number");
  return format;
}

static const char* read_length(const char* format, int* longs) {
  for (*longs = 0;; format++) {
    if (*format == 'l' || *format == 'z' || *format == 't') {
      ++*longs;
    } else if (*format == 'h') {
      --*longs;
    } else if (*format == 'j') {
      *longs = 2;
    } else {
      return format;
    }
  }
}

// What stands behind a '%'.
static const char* read_conversion(const char* format, struct arguments* arguments, struct conversion* read) {
  read->flags = 0;
  for (; flag_of(*format); format++) read->flags |= flag_of(*format);
  format = read_number(format, arguments, &read->width);
  if (read->width < 0) {
    read->flags |= kLeft;
    read->width = -read->width;
  }
  read->precision = -1;
  if (*format == '.') format = read_number(format + 1, arguments, &read->precision);
  format = read_length(format, &read->longs);
  read->kind = *format;
  return format + 1;
}

static long long next_signed(struct arguments* arguments, int longs) {
  if (longs >= 2) return va_arg(arguments->list, long long);
  if (longs == 1) return va_arg(arguments->list, long);
  int number = va_arg(arguments->list, int);
  return longs == 0 ? number : longs == -1 ? (short)number : (signed char)number;
}

static unsigned long long next_unsigned(struct arguments* arguments, int longs) {
  if (longs >= 2) return va_arg(arguments->list, unsigned long long);
  if (longs == 1) return va_arg(arguments->list, unsigned long);
  unsigned number = va_arg(arguments->list, unsigned);
  return longs == 0 ? number : longs == -1 ? (unsigned short)number : (unsigned char)number;
}

static void print_signed(struct __weir_sink* sink, const struct conversion* how, long long number) {
  unsigned long long size = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
  __weir_print_number(sink, size, number < 0, 10, how->flags, how->width, how->precision);
}

static void print_unsigned(struct __weir_sink* sink, const struct conversion* how,
                           unsigned long long number) {
  int base = how->kind == 'o' ? 8 : how->kind == 'u' ? 10 : 16;
  int flags = (how->flags & ~(kPlus | kSpace)) | (how->kind == 'X' ? kUpper : 0);
  __weir_print_number(sink, number, 0, base, flags, how->width, how->precision);
}

static void store_count(struct __weir_sink* sink, const struct conversion* how, void* target) {
  switch (how->longs) {
    case 0: *(int*)target = (int)sink->length; break;
    case 1: *(long*)target = (long)sink->length; break;
    case 2: *(long long*)target = (long long)sink->length; break;
    default: __weir_give_up("a format that stores a count into a narrow number");
  }
}

static void print_next(struct __weir_sink* sink, const struct conversion* how, struct arguments* arguments) {
  switch (how->kind) {
    case '%': __weir_print_character(sink, '%', 0, 0); break;
    case 'd':
    case 'i': print_signed(sink, how, next_signed(arguments, how->longs)); break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': print_unsigned(sink, how, next_unsigned(arguments, how->longs)); break;
    case 'c': __weir_print_character(sink, va_arg(arguments->list, int), how->flags, how->width); break;
    case 's':
      __weir_print_string(sink, va_arg(arguments->list, const char*), how->flags, how->width, how->precision);
      break;
    case 'p': __weir_print_pointer(sink, va_arg(arguments->list, void*), how->flags, how->width); break;
    case 'n': store_count(sink, how, va_arg(arguments->list, void*)); break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': __weir_give_up("a format that makes text of a floating point number, with a list of arguments");
    default: __weir_give_up("a format like this, with a list of arguments");
  }
}

static int print_all(struct __weir_sink* sink, const char* format, struct arguments* arguments) {
  while (*format) {
    if (*format != '%') {
      __weir_print_character(sink, *format++, 0, 0);
      continue;
    }
    struct conversion how;
    format = read_conversion(format + 1, arguments, &how);
    print_next(sink, &how, arguments);
  }
  return __weir_print_end(sink);
}

int vsnprintf(char* text, size_t size, const char* format, va_list list) {
  struct __weir_sink sink = {size ? text : NULL, size ? size - 1 : 0, 0};
  struct arguments arguments;
  va_copy(arguments.list, list);
  return print_all(&sink, format, &arguments);
}

int vsprintf(char* text, const char* format, va_list list) {
  return vsnprintf(text, PTRDIFF_MAX, format, list);
}
int vprintf(const char* format, va_list list) { return vsnprintf(NULL, 0, format, list); }
int vfprintf(FILE* stream, const char* format, va_list list) { return (void)stream, vprintf(format, list); }
int vdprintf(int file, const char* format, va_list list) { return (void)file, vprintf(format, list); }

int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list) {
  return (void)flag, vfprintf(stream, format, list);
}

int __vsnprintf_chk(char* text, size_t size, int flag, size_t room, const char* format, va_list list) {
  (void)flag, (void)room;
  return vsnprintf(text, size, format, list);
}

void vsyslog(int priority, const char* format, va_list list) { (void)priority, (void)vprintf(format, list); }
