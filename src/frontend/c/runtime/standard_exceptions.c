// The exception classes of the C++ standard library whose members are not in its headers, and the functions
// by which the headers throw them. Layouts and names are those of libstdc++; only the reference-counted
// string in the classes with a message is just a pointer here: to the text if it is a constant, otherwise
// null, and then `what` is not known.
#include "cplusplus.h"

struct plain {
  const void* functions;
};

struct with_text {
  const void* functions;
  const char* text;
};

static const char* known_text(const void* self) {
  const char* text = ((const struct with_text*)self)->text;
  if (!text) __weir_give_up("what() of an exception with a message that is no constant");
  return text;
}

// A class has a table of functions: two destructors (the second also deletes), and `what`.
#define DESTRUCTORS(name, symbol)                              \
  void name##_destroy2(void* self) NAMED("_ZN" symbol "D2Ev"); \
  void name##_destroy2(void* self) { (void)self; }             \
  void name##_destroy(void* self) NAMED("_ZN" symbol "D1Ev");  \
  void name##_destroy(void* self) { (void)self; }              \
  void name##_delete(void* self) NAMED("_ZN" symbol "D0Ev");   \
  void name##_delete(void* self) { __weir_free_object(self); }

#define FUNCTIONS(name, symbol, type)                                                                   \
  const void* const name##_functions[5] NAMED("_ZTV" symbol) = {0, type, name##_destroy, name##_delete, \
                                                                name##_what};

#define WHAT(name, symbol, text)                                            \
  const char* name##_what(const void* self) NAMED("_ZNK" symbol "4whatEv"); \
  const char* name##_what(const void* self) { return (void)self, text; }

#define TYPE(name, symbol, base)                                                                            \
  const struct derived_type_info name##_type NAMED("_ZTI" symbol) = {{&derived_class_type_info[2], symbol}, \
                                                                     (const struct type_info*)&base##_type};

#define PLAIN_CLASS(name, symbol, base, says) \
  TYPE(name, symbol, base)                    \
  DESTRUCTORS(name, symbol)                   \
  WHAT(name, symbol, says)                    \
  FUNCTIONS(name, symbol, &name##_type)

#define STRING "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

#define CONSTRUCTOR(name, symbol, version, parameter, suffix, value)                  \
  void name##_make_##suffix(void* self, parameter given) NAMED("_ZN" symbol version); \
  void name##_make_##suffix(void* self, parameter given) {                            \
    (void)given;                                                                      \
    struct with_text* made = self;                                                    \
    made->functions = &name##_functions[2];                                           \
    made->text = value;                                                               \
  }

#define COPIED ((const struct with_text*)given)->text

#define TEXT_CLASS_MEMBERS(name, symbol)                                              \
  DESTRUCTORS(name, symbol)                                                           \
  FUNCTIONS(name, symbol, &name##_type)                                               \
  CONSTRUCTOR(name, symbol, "C1EPKc", const char*, text1, __weir_lasting_text(given)) \
  CONSTRUCTOR(name, symbol, "C2EPKc", const char*, text2, __weir_lasting_text(given)) \
  CONSTRUCTOR(name, symbol, "C1E" STRING, const void*, string1, NULL)                 \
  CONSTRUCTOR(name, symbol, "C2E" STRING, const void*, string2, NULL)                 \
  CONSTRUCTOR(name, symbol, "C1ERKS_", const void*, copy1, COPIED)                    \
  CONSTRUCTOR(name, symbol, "C2ERKS_", const void*, copy2, COPIED)                    \
  CONSTRUCTOR(name, symbol, "C1EOS_", const void*, move1, COPIED)                     \
  CONSTRUCTOR(name, symbol, "C2EOS_", const void*, move2, COPIED)

// `what` is inherited.
#define TEXT_CLASS(name, symbol, base)                                          \
  TYPE(name, symbol, base)                                                      \
  static const char* name##_what(const void* self) { return known_text(self); } \
  TEXT_CLASS_MEMBERS(name, symbol)

#define TEXT_ROOT(name, symbol)                                             \
  TYPE(name, symbol, exception)                                             \
  const char* name##_what(const void* self) NAMED("_ZNK" symbol "4whatEv"); \
  const char* name##_what(const void* self) { return known_text(self); }    \
  TEXT_CLASS_MEMBERS(name, symbol)

const struct type_info exception_type NAMED("_ZTISt9exception") = {&class_type_info[2], "St9exception"};
DESTRUCTORS(exception, "St9exception")
WHAT(exception, "St9exception", "std::exception")
FUNCTIONS(exception, "St9exception", &exception_type)

PLAIN_CLASS(bad_alloc, "St9bad_alloc", exception, "std::bad_alloc")
PLAIN_CLASS(bad_length, "St20bad_array_new_length", bad_alloc, "std::bad_array_new_length")
PLAIN_CLASS(bad_cast, "St8bad_cast", exception, "std::bad_cast")
PLAIN_CLASS(bad_typeid, "St10bad_typeid", exception, "std::bad_typeid")
PLAIN_CLASS(bad_exception, "St13bad_exception", exception, "std::bad_exception")
PLAIN_CLASS(bad_call, "St17bad_function_call", exception, "bad_function_call")

TEXT_ROOT(logic_error, "St11logic_error")
TEXT_CLASS(domain_error, "St12domain_error", logic_error)
TEXT_CLASS(invalid_argument, "St16invalid_argument", logic_error)
TEXT_CLASS(length_error, "St12length_error", logic_error)
TEXT_CLASS(out_of_range, "St12out_of_range", logic_error)
TEXT_ROOT(runtime_error, "St13runtime_error")
TEXT_CLASS(range_error, "St11range_error", runtime_error)
TEXT_CLASS(overflow_error, "St14overflow_error", runtime_error)
TEXT_CLASS(underflow_error, "St15underflow_error", runtime_error)

// std::system_error, with a code and its category.

struct error_code {
  int value;
  const void* category;
};

struct system_error {
  struct with_text base;
  struct error_code code;
};

TYPE(system_error, "St12system_error", runtime_error)
static const char* system_error_what(const void* self) { return known_text(self); }
DESTRUCTORS(system_error, "St12system_error")
FUNCTIONS(system_error, "St12system_error", &system_error_type)

const void* generic_category(void) NAMED("_ZNSt3_V216generic_categoryEv");  // error_codes.cpp

// What the headers call.

static void* make_plain(const void* const* functions) {
  struct plain* made = __cxa_allocate_exception(sizeof(struct plain));
  made->functions = functions + 2;
  return made;
}

static void* make_with_text(const void* const* functions, const char* text) {
  struct with_text* made = __cxa_allocate_exception(sizeof(struct with_text));
  made->functions = functions + 2;
  made->text = __weir_lasting_text(text);
  return made;
}

#define THROW_PLAIN(name, symbol)                      \
  void throw_##name(void) NAMED(symbol) WEIR_NORETURN; \
  void throw_##name(void) { __cxa_throw(make_plain(name##_functions), &name##_type.type, name##_destroy); }

#define THROW_WITH_TEXT(name, symbol)                                                       \
  void throw_##name(const char* text) NAMED(symbol) WEIR_NORETURN;                          \
  void throw_##name(const char* text) {                                                     \
    __cxa_throw(make_with_text(name##_functions, text), &name##_type.type, name##_destroy); \
  }

THROW_PLAIN(bad_alloc, "_ZSt17__throw_bad_allocv")
THROW_PLAIN(bad_length, "_ZSt28__throw_bad_array_new_lengthv")
THROW_PLAIN(bad_cast, "_ZSt16__throw_bad_castv")
THROW_PLAIN(bad_typeid, "_ZSt18__throw_bad_typeidv")
THROW_PLAIN(bad_exception, "_ZSt21__throw_bad_exceptionv")
THROW_PLAIN(bad_call, "_ZSt25__throw_bad_function_callv")
THROW_WITH_TEXT(logic_error, "_ZSt19__throw_logic_errorPKc")
THROW_WITH_TEXT(domain_error, "_ZSt20__throw_domain_errorPKc")
THROW_WITH_TEXT(invalid_argument, "_ZSt24__throw_invalid_argumentPKc")
THROW_WITH_TEXT(length_error, "_ZSt20__throw_length_errorPKc")
THROW_WITH_TEXT(out_of_range, "_ZSt20__throw_out_of_rangePKc")
THROW_WITH_TEXT(runtime_error, "_ZSt21__throw_runtime_errorPKc")
THROW_WITH_TEXT(range_error, "_ZSt19__throw_range_errorPKc")
THROW_WITH_TEXT(overflow_error, "_ZSt22__throw_overflow_errorPKc")
THROW_WITH_TEXT(underflow_error, "_ZSt23__throw_underflow_errorPKc")

void throw_out_of_range_text(const char* format, ...)
    NAMED("_ZSt24__throw_out_of_range_fmtPKcz") WEIR_NORETURN;
void throw_out_of_range_text(const char* format, ...) {
  (void)format;  // the text says by how much
  struct with_text* made = __cxa_allocate_exception(sizeof(struct with_text));
  made->functions = &out_of_range_functions[2];
  made->text = NULL;
  __cxa_throw(made, &out_of_range_type.type, out_of_range_destroy);
}

void throw_system_error(int error) {
  struct system_error* made = __cxa_allocate_exception(sizeof(struct system_error));
  made->base.functions = &system_error_functions[2];
  made->base.text = NULL;
  made->code.value = error;
  made->code.category = generic_category();
  __cxa_throw(made, &system_error_type.type, system_error_destroy);
}

void __cxa_bad_cast(void) { throw_bad_cast(); }
void __cxa_bad_typeid(void) { throw_bad_typeid(); }
void __cxa_throw_bad_array_new_length(void) { throw_bad_length(); }
