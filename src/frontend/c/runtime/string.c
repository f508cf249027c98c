// The string functions, byte by byte. (The compiler itself copies and fills memory.)
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

size_t strnlen(const char* text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) length++;
  return length;
}

// All of it is read, also behind the first difference.
int memcmp(const void* left, const void* right, size_t size) {
  const unsigned char *a = left, *b = right;
  int difference = 0;
  for (size_t i = 0; i < size; i++) {
    unsigned char x = a[i], y = b[i];
    if (difference == 0) difference = x - y;
  }
  return difference;
}

int bcmp(const void* left, const void* right, size_t size) { return memcmp(left, right, size); }

void* memchr(const void* memory, int byte, size_t size) {
  const unsigned char* bytes = memory;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == (unsigned char)byte) return (void*)(bytes + i);
  }
  return NULL;
}

int strncmp(const char* left, const char* right, size_t most) {
  for (size_t i = 0; i < most; i++) {
    unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

int strcmp(const char* left, const char* right) { return strncmp(left, right, ~(size_t)0); }

int strncasecmp(const char* left, const char* right, size_t most) {
  for (size_t i = 0; i < most; i++) {
    int a = tolower((unsigned char)left[i]), b = tolower((unsigned char)right[i]);
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

int strcasecmp(const char* left, const char* right) { return strncasecmp(left, right, ~(size_t)0); }

char* stpcpy(char* to, const char* from) {
  for (;; to++, from++) {
    *to = *from;
    if (*from == 0) return to;
  }
}

char* strcpy(char* to, const char* from) {
  stpcpy(to, from);
  return to;
}

char* strncpy(char* to, const char* from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; i++) to[i] = from[i];
  for (; i < size; i++) to[i] = 0;
  return to;
}

char* strcat(char* to, const char* from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char* strncat(char* to, const char* from, size_t most) {
  char* end = to + strlen(to);
  size_t length = strnlen(from, most);
  for (size_t i = 0; i < length; i++) end[i] = from[i];
  end[length] = 0;
  return to;
}

char* strchr(const char* text, int wanted) {
  for (;; text++) {
    if (*text == (char)wanted) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strrchr(const char* text, int wanted) {
  const char* last = NULL;
  for (;; text++) {
    if (*text == (char)wanted) last = text;
    if (*text == 0) return (char*)last;
  }
}

static int starts_with(const char* text, const char* prefix) {
  while (*prefix) {
    if (*text++ != *prefix++) return 0;
  }
  return 1;
}

char* strstr(const char* text, const char* wanted) {
  for (;; text++) {
    if (starts_with(text, wanted)) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strpbrk(const char* text, const char* accepted) {
  for (; *text; text++) {
    if (strchr(accepted, *text)) return (char*)text;
  }
  return NULL;
}

size_t strspn(const char* text, const char* accepted) {
  size_t length = 0;
  while (text[length] && strchr(accepted, text[length])) length++;
  return length;
}

size_t strcspn(const char* text, const char* refused) {
  size_t length = 0;
  while (text[length] && !strchr(refused, text[length])) length++;
  return length;
}

char* strndup(const char* text, size_t most) {
  size_t length = strnlen(text, most);
  char* copy = __weir_allocate(length + 1);
  for (size_t i = 0; i < length; i++) copy[i] = text[i];
  copy[length] = 0;
  return copy;
}

char* strdup(const char* text) { return strndup(text, ~(size_t)0); }
