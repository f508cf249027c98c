// Exceptions as the Itanium ABI for C++ has them: what is thrown, caught and thrown again, and
// std::exception_ptr. Finding landing pads and handlers is the pipeline's work (frontend/c/unwinding/unwinding.hpp).
//
// Which exceptions a thread throws and handles concerns nobody else, so it is thread-local. Landing pads know
// an exception by a token. In front of the object stands what an exception_ptr needs, which is written when
// there is the first one: only then can another thread have to do with it.
#include "cplusplus.h"

enum { kMostExceptions = 4, kNone = -1 };  // at a time, of one thread

struct exception {
  void* object;
  const struct type_info* type;  // null if this place is free
  void (*destructor)(void*);
  void* adjusted;  // what the handler gets: the base class of the object, or the pointer thrown
  int handlers;    // that handle it; negative if it was thrown again and is still to leave them
  struct shared_exception* shared;  // null if there is no exception_ptr
};

struct shared_exception {
  void* object;
  const struct type_info* type;
  void (*destructor)(void*);
  long owners;  // each exception_ptr, and each thread that throws or handles it
};

static _Thread_local struct exception exceptions[kMostExceptions];
static _Thread_local int caught[kMostExceptions];  // the innermost handler's is the last
static _Thread_local int caught_count;
static _Thread_local int uncaught_count;
static _Thread_local int unwinding;  // the number of the exception that leaves functions, plus 1
static const char tokens[kMostExceptions];

const void* const class_type_info[3] = {0};
const void* const derived_class_type_info[3] = {0};
const void* const multiple_class_type_info[3] = {0};
const void* const pointer_type_info[3] NAMED("_ZTVN10__cxxabiv119__pointer_type_infoE") = {0};
const void* const member_type_info[3] NAMED("_ZTVN10__cxxabiv129__pointer_to_member_type_infoE") = {0};
const void* const enumeration_type_info[3] NAMED("_ZTVN10__cxxabiv116__enum_type_infoE") = {0};
const void* const function_type_info[3] NAMED("_ZTVN10__cxxabiv120__function_type_infoE") = {0};
const void* const array_type_info[3] NAMED("_ZTVN10__cxxabiv117__array_type_infoE") = {0};
const struct type_info forced_unwind NAMED("_ZTIN10__cxxabiv115__forced_unwindE") = {
    &class_type_info[2], "N10__cxxabiv115__forced_unwindE"};

static int number_of(const void* token) {
  for (int number = 0; number < kMostExceptions - 1; number++) {
    if (token == &tokens[number]) return number;
  }
  return kMostExceptions - 1;
}

static int is_forced(int number) { return exceptions[number].type == &forced_unwind; }

static int innermost(void) { return caught_count == 0 ? kNone : caught[caught_count - 1]; }

static void leave_handler(void) { caught[--caught_count] = 0; }

static int add_exception(void* object, const struct type_info* type, void (*destructor)(void*)) {
  for (int number = 0; number < kMostExceptions; number++) {
    if (exceptions[number].type) continue;
    exceptions[number].object = object;
    exceptions[number].type = type;
    exceptions[number].destructor = destructor;
    return number;
  }
  __weir_give_up("a thread has more than 4 exceptions at a time");
}

static void forget(int number) {
  exceptions[number].object = NULL;
  exceptions[number].type = NULL;
  exceptions[number].destructor = NULL;
  exceptions[number].adjusted = NULL;
  exceptions[number].handlers = 0;
  exceptions[number].shared = NULL;
}

static void start_unwinding(int number) {
  unwinding = number + 1;
  __weir_unwind();
}

// For the code at landing pads.

void* __weir_landed(void) {
  int number = unwinding - 1;
  unwinding = 0;
  return (void*)&tokens[number];
}

// Functions that were not inlined return, and say so.
static _Thread_local int was_left;
void __weir_leave_function(void) { was_left = 1; }
int __weir_function_was_left(void) {
  int left = was_left;
  was_left = 0;
  return left;
}

void __weir_resume(const void* token) { unwinding = number_of(token) + 1; }
const void* __weir_type_of(const void* token) { return exceptions[number_of(token)].type; }
void* __weir_object_of(const void* token) { return exceptions[number_of(token)].object; }
void __weir_adjust(const void* token, void* adjusted) { exceptions[number_of(token)].adjusted = adjusted; }

// Objects

void* __cxa_allocate_exception(size_t size) { return __weir_allocate(size); }

void __cxa_free_exception(void* object) { __weir_free(object); }

static void destroy(void* object, void (*destructor)(void*)) {
  if (destructor) destructor(object);
  __weir_free(object);
}

static struct shared_exception* share(void* object, const struct type_info* type, void (*destructor)(void*),
                                      long owners) {
  struct shared_exception* shared = __weir_allocate(sizeof *shared);
  shared->object = object;
  shared->type = type;
  shared->destructor = destructor;
  shared->owners = owners;
  return shared;
}

static void add_owner(struct shared_exception* shared) {
  __atomic_add_fetch(&shared->owners, 1, __ATOMIC_ACQ_REL);
}

static void remove_owner(struct shared_exception* shared) {
  if (__atomic_sub_fetch(&shared->owners, 1, __ATOMIC_ACQ_REL) != 0) return;
  destroy(shared->object, shared->destructor);
  __weir_free(shared);
}

static void release_exception(int number) {
  void* object = exceptions[number].object;
  void (*destructor)(void*) = exceptions[number].destructor;
  struct shared_exception* shared = exceptions[number].shared;
  forget(number);
  if (shared) {
    remove_owner(shared);
  } else {
    destroy(object, destructor);
  }
}

// Throwing and catching

void __cxa_throw(void* object, const struct type_info* type, void (*destructor)(void*)) {
  __weir_search(type);
  int number = add_exception(object, type, destructor);
  uncaught_count++;
  start_unwinding(number);
  __builtin_unreachable();
}

void* __cxa_get_exception_ptr(const void* token) { return exceptions[number_of(token)].adjusted; }

static void* begin_forced(int number) {
  if (caught_count > 0) {
    __weir_fail("std::terminate() is called: pthread_exit is caught while an exception is handled");
  }
  caught[caught_count++] = number;
  return NULL;
}

void* __cxa_begin_catch(const void* token) {
  int number = number_of(token);
  if (is_forced(number)) return begin_forced(number);
  int handlers = exceptions[number].handlers;
  exceptions[number].handlers = (handlers < 0 ? -handlers : handlers) + 1;
  uncaught_count--;
  if (innermost() != number) {
    if (caught_count == kMostExceptions) __weir_give_up("a thread handles more than 4 exceptions at a time");
    caught[caught_count++] = number;
  }
  return exceptions[number].adjusted;
}

// One that was thrown again is on its way: only the handlers are left.
static void end_catch_of_rethrown(int number) {
  if (++exceptions[number].handlers == 0) leave_handler();
}

void __cxa_end_catch(void) {
  int number = innermost();
  if (number == kNone) return;
  if (is_forced(number))
    __weir_fail("catch (...) does not throw again what pthread_exit throws: the program is aborted");
  if (exceptions[number].handlers < 0) return end_catch_of_rethrown(number);
  if (--exceptions[number].handlers > 0) return;
  leave_handler();
  release_exception(number);
}

void __cxa_rethrow(void) {
  int number = innermost();
  if (number == kNone) __weir_fail("std::terminate() is called: `throw;` where no exception is handled");
  if (is_forced(number)) {
    leave_handler();
  } else {
    __weir_search(exceptions[number].type);
    exceptions[number].handlers = -exceptions[number].handlers;
    uncaught_count++;
  }
  start_unwinding(number);
  __builtin_unreachable();
}

const struct type_info* __cxa_current_exception_type(void) {
  int number = innermost();
  return number == kNone ? NULL : exceptions[number].type;
}

_Bool uncaught_exception(void) NAMED("_ZSt18uncaught_exceptionv");
_Bool uncaught_exception(void) { return uncaught_count > 0; }
int uncaught_exceptions(void) NAMED("_ZSt19uncaught_exceptionsv");
int uncaught_exceptions(void) { return uncaught_count; }

// The end of a program by std::terminate

void __weir_not_caught_here(const void* token) {
  if (is_forced(number_of(token))) {
    __weir_fail(
        "std::terminate() is called: pthread_exit leaves a function that is noexcept, or a destructor");
  }
  __weir_not_allowed(exceptions[number_of(token)].type);
}

void __cxa_call_unexpected(const void* token) {
  (void)token;
  __weir_fail(
      "std::unexpected() is called: an exception leaves a function whose specification does not list it");
}

void terminate(void) NAMED("_ZSt9terminatev") WEIR_NORETURN;
void terminate(void) { __weir_fail("std::terminate() is called"); }

static void (*terminate_handler)(void);

typedef void (*handler_function)(void);
handler_function set_terminate(handler_function handler) NAMED("_ZSt13set_terminatePFvvE");
handler_function set_terminate(handler_function handler) {
  return __atomic_exchange_n(&terminate_handler, handler, __ATOMIC_ACQ_REL);
}
handler_function get_terminate(void) NAMED("_ZSt13get_terminatev");
handler_function get_terminate(void) { return __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE); }

// pthread_exit

void __weir_start_forced_unwinding(void) { unwinding = add_exception(NULL, &forced_unwind, NULL) + 1; }

void __weir_end_unwinding(void) {
  int number = unwinding - 1;
  unwinding = 0;
  if (!is_forced(number)) __weir_uncaught(exceptions[number].type);
  forget(number);
}

// std::exception_ptr, which is a pointer to the shared block

typedef struct shared_exception* exception_pointer;

void current_exception(exception_pointer* result) NAMED("_ZSt17current_exceptionv");
void current_exception(exception_pointer* result) {
  *result = NULL;
  int number = innermost();
  if (number == kNone || is_forced(number)) return;
  if (exceptions[number].shared) {
    add_owner(exceptions[number].shared);
  } else {
    exceptions[number].shared =
        share(exceptions[number].object, exceptions[number].type, exceptions[number].destructor, 2);
  }
  *result = exceptions[number].shared;
}

// std::make_exception_ptr makes an exception that nobody throws: it tells first what it is, then makes the
// pointer.

static _Thread_local const struct type_info* made_type;
static _Thread_local void (*made_destructor)(void*);

void* __cxa_init_primary_exception(void* object, const struct type_info* type, void (*destructor)(void*)) {
  made_type = type;
  made_destructor = destructor;
  return object;
}

void make_pointer(exception_pointer* pointer, void* object)
    NAMED("_ZNSt15__exception_ptr13exception_ptrC1EPv");
void make_pointer(exception_pointer* pointer, void* object) {
  *pointer = share(object, made_type, made_destructor, 1);
  made_type = NULL;
  made_destructor = NULL;
}

void rethrow_exception(const exception_pointer* pointer)
    NAMED("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE") WEIR_NORETURN;
void rethrow_exception(const exception_pointer* pointer) {
  exception_pointer shared = *pointer;
  if (!shared) __weir_fail("std::rethrow_exception with a null pointer");
  __weir_search(shared->type);
  add_owner(shared);
  int number = add_exception(shared->object, shared->type, shared->destructor);
  exceptions[number].shared = shared;
  uncaught_count++;
  start_unwinding(number);
  __builtin_unreachable();
}

void add_pointer(exception_pointer* pointer) NAMED("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void add_pointer(exception_pointer* pointer) {
  if (*pointer) add_owner(*pointer);
}
void remove_pointer(exception_pointer* pointer) NAMED("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void remove_pointer(exception_pointer* pointer) {
  exception_pointer shared = *pointer;
  *pointer = NULL;
  if (shared) remove_owner(shared);
}
const struct type_info* pointed_type(const exception_pointer* pointer)
    NAMED("_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv");
const struct type_info* pointed_type(const exception_pointer* pointer) {
  return *pointer ? (*pointer)->type : NULL;
}
