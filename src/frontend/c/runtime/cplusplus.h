// What the files about C++ share: names as the Itanium ABI mangles them, and what a type_info looks like.
#pragma once

#include "internal.h"

#define NAMED(symbol) __asm__(symbol)
#ifdef __LP64__
#define SIZE "m"  // size_t is unsigned long
#else
#define SIZE "j"  // unsigned int
#endif

// The kind of a type is told by its first pointer, which points into the table of functions of its own class.
struct type_info {
  const void* const* kind;
  const char* name;
};

struct derived_type_info {
  struct type_info type;
  const struct type_info* base;
};

extern const void* const class_type_info[] NAMED("_ZTVN10__cxxabiv117__class_type_infoE");
extern const void* const derived_class_type_info[] NAMED("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void* const multiple_class_type_info[] NAMED("_ZTVN10__cxxabiv121__vmi_class_type_infoE");

// exceptions.c
void* __cxa_allocate_exception(size_t size);
void __cxa_throw(void* object, const struct type_info* type, void (*destructor)(void*)) WEIR_NORETURN;

// standard_exceptions.c
void throw_bad_alloc(void) NAMED("_ZSt17__throw_bad_allocv") WEIR_NORETURN;
void throw_system_error(int error) NAMED("_ZSt20__throw_system_errori") WEIR_NORETURN;
