// std::cout, std::cerr, std::clog: what is printed is read, and dropped. A stream keeps how it was told to print, since
// inline functions of the headers write that into it; nothing depends on it. The layout is that of libstdc++. Streams that
// print into strings, and reading, are not here: they end the search where they are reached.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE  // what the library would bring is here
#include <cstddef>
#include <cstring>
#include <ostream>

namespace {

struct Functions {
  std::ptrdiff_t to_format, back;
  const void* type;
  const void* none[3];
};

// std::basic_ios<char>, with std::ios_base.
struct Format {
  const void* functions;
  std::ptrdiff_t precision, width;
  std::ios_base::fmtflags flags;
  std::ios_base::iostate exceptions, state;
  const void* callbacks;
  struct {
    void* word;
    long number;
  } unused_word, words[8];
  int word_count;
  void *more_words, *locale, *tied;
  char fill;
  bool knows_fill;
  void *buffer, *character_kinds, *number_writer, *number_reader;
};

struct Stream {
  const void* functions;
  Format format;
};
static_assert(sizeof(Stream) == sizeof(std::ostream) && sizeof(Format) == sizeof(std::ios));

// The distance to the virtual base class stands before the functions.
const Functions functions = {offsetof(Stream, format), 0, nullptr, {}};

constexpr Stream stream_at_first() {
  Stream made = {};
  made.functions = &functions.none[0];
  made.format.precision = 6;
  made.format.flags = std::ios_base::skipws | std::ios_base::dec;
  made.format.fill = ' ';
  made.format.knows_fill = true;
  return made;
}

void read_characters(const char* text, std::streamsize size) {
  for (std::streamsize i = 0; i < size; i++) (void)*(const volatile char*)(text + i);
}

}  // namespace

extern "C" {
extern Stream standard_output __asm__("_ZSt4cout"), standard_error __asm__("_ZSt4cerr"),
    standard_log __asm__("_ZSt4clog");
constinit Stream standard_output = stream_at_first();
constinit Stream standard_error = stream_at_first();
constinit Stream standard_log = stream_at_first();
}

namespace std {

ios_base::Init::Init() {}
ios_base::Init::~Init() {}
bool ios_base::sync_with_stdio(bool) { return true; }

#define PRINTS(type)                   \
  template <>                          \
  ostream& ostream::operator<<(type) { \
    return *this;                      \
  }
PRINTS(bool)
PRINTS(short)
PRINTS(unsigned short)
PRINTS(int)
PRINTS(unsigned)
PRINTS(long)
PRINTS(unsigned long)
PRINTS(long long)
PRINTS(unsigned long long)
PRINTS(float)
PRINTS(double)
PRINTS(const void*)

template <>
ostream& ostream::operator<<(ostream& (*manipulator)(ostream&)) {
  return manipulator(*this);
}
template <>
ostream& ostream::operator<<(ios& (*manipulator)(ios&)) {
  manipulator(*this);
  return *this;
}
template <>
ostream& ostream::operator<<(ios_base& (*manipulator)(ios_base&)) {
  manipulator(*this);
  return *this;
}

template <>
ostream& ostream::flush() {
  return *this;
}
template <>
ostream& ostream::put(char) {
  return *this;
}
template <>
ostream& ostream::write(const char* text, streamsize size) {
  read_characters(text, size);
  return *this;
}

template <>
ostream& endl(ostream& stream) {
  return stream;
}
template <>
ostream& ends(ostream& stream) {
  return stream;
}
template <>
ostream& flush(ostream& stream) {
  return stream;
}

template <>
ostream& __ostream_insert(ostream& stream, const char* text, streamsize size) {
  read_characters(text, size);
  return stream;
}
template <>
ostream& operator<<(ostream& stream, const char* text) {
  (void)strlen(text);
  return stream;
}
template <>
ostream& operator<<(ostream& stream, char) {
  return stream;
}
template <>
ostream& operator<<(ostream& stream, signed char) {
  return stream;
}
template <>
ostream& operator<<(ostream& stream, unsigned char) {
  return stream;
}
template <>
ostream& operator<<(ostream& stream, const string& text) {
  read_characters(text.data(), static_cast<streamsize>(text.size()));
  return stream;
}

// Printing always succeeds.
template <>
bool ios::good() const {
  return true;
}
template <>
bool ios::fail() const {
  return false;
}
template <>
bool ios::bad() const {
  return false;
}
template <>
bool ios::eof() const {
  return false;
}
template <>
bool ios::operator!() const {
  return false;
}
template <>
ios::operator bool() const {
  return true;
}
template <>
char ios::fill() const {
  return _M_fill;
}
template <>
char ios::fill(char character) {
  const char before = _M_fill;
  _M_fill = character;
  return before;
}

}  // namespace std
