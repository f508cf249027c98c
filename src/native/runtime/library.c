// Assertions, ways to end, choices, and functions of the C library that read memory which the program may not.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native.h"

int weir_result = -1;  // where the result goes
int weir_stops_at_violation;

static void put_result(const char* word, const char* kind, uintptr_t pc, const char* text) {
  static char line[1200];
  const int length = snprintf(line, sizeof line, "%s\t%s\t%d\t%lx\t%s\n", word, kind,
                              !weir_self ? -1 : weir_exits_for_main ? 0 : weir_self->number, (unsigned long)pc, text);
  if (weir_result >= 0 && write(weir_result, line, (size_t)length) < 0) weir_leave(99);
}

void weir_finish(const char* word, const char* format, ...) {
  static char text[1000];
  va_list arguments;
  weir_active = 0;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put_result(word, "-", weir_self ? weir_self->event.pc : 0, text);
  weir_leave(0);
}

void weir_violation(const char* kind, uintptr_t pc, const char* format, ...) {
  static char text[1000];
  va_list arguments;
  weir_active = 0;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put_result("violation", kind, pc, text);
  if (weir_stops_at_violation) raise(SIGSTOP);
  weir_leave(0);
}

// What clang's checks of undefined behaviour call themselves, in the instruction that traps: ud1l NUMBER(%eax), %eax.
static const char* trap_text(const u8* code) {
  if (code[0] != 0x67 || code[1] != 0x0f || code[2] != 0xb9) return "reaches what cannot be reached";
  switch (code[4]) {
    case 5: return "has a floating point number that does not fit";
    case 8: return "calls a built-in function with an argument that it does not allow";
    case 18: return "has an index out of bounds";
    case 20: return "shifts too far";
    case 22: return "accesses memory through a pointer that is not aligned";
    default: return "has undefined behaviour";
  }
}

static void on_crash(int number, siginfo_t* information, void* context) {
  const ucontext_t* machine = context;
  const uintptr_t pc = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP] + 1;
  const uintptr_t address = (uintptr_t)information->si_addr;
  if (number == SIGFPE) weir_violation("division", pc, "divides by zero");
  if (number == SIGILL) weir_violation("trap", pc, "%s", trap_text((const u8*)machine->uc_mcontext.gregs[REG_RIP]));
  if (number == SIGABRT) weir_finish("ended", "abort");
  weir_violation(address < 65536 ? "null" : "crash", pc, "accesses memory that it may not (signal %d)", number);
}

static void catch_crashes(void) {
  enum { kSize = 65536 };
  stack_t stack = {.ss_sp = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                   .ss_size = kSize};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (const int* number = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, 0}; *number; number++)
    sigaction(*number, &action, NULL);
}

// --- Start and end

int weir_guided, weir_chance;
int weir_main_returned;
void weir_random_start(void);

// The first function registered to be called at exit, so the last that is called.
static void at_last(void) {
  struct thread* self = weir_self;
  if (!weir_active || !self) return;
  if (!weir_exiting) {
    weir_point((struct event){.kind = kEnd});
    weir_drain(self);
    weir_point((struct event){.kind = kCall, .name = "all ended", .quiet = 1, .ready = no_others});
  }
  weir_finish("ended", "%d", weir_user_leaks());
}

// Before the constructors of the program's own objects.
__attribute__((constructor(101))) static void prepare(void) {
  const char* model = getenv("WEIR_NATIVE_MODEL");
  const char* schedule = getenv("WEIR_NATIVE_SCHEDULE");
  const char* result = getenv("WEIR_NATIVE_RESULT");
  weir_model = model && !strcmp(model, "tso") ? kTso : model && !strcmp(model, "pso") ? kPso : kSc;
  if (result) weir_result = open(result, O_WRONLY | O_CREAT | O_APPEND, 0600);
  weir_stops_at_violation = getenv("WEIR_NATIVE_STOP") != NULL;
  weir_chance = getenv("WEIR_NATIVE_CHANCE") != NULL;
  weir_looks_for_races = getenv("WEIR_NATIVE_RACES") != NULL;
  weir_thread_count = 1;
  struct thread* main_thread = &weir_threads[0];
  main_thread->exists = 1;
  main_thread->real = pthread_self();
  main_thread->frame = (uintptr_t)__builtin_frame_address(0);
  main_thread->stack_high = main_thread->frame + (1 << 20);
  main_thread->stack_low = main_thread->frame - (7 << 20);
  weir_self = main_thread;
  catch_crashes();
  if (schedule) {
    weir_guided = 1;
    if (!weir_guide_load(schedule)) weir_finish("unavailable", "the schedule cannot be read");
  } else {
    weir_random_start();
  }
  atexit(at_last);
  weir_active = 1;
}

int __real_main(int count, char** arguments, char** environment);
int __wrap_main(int count, char** arguments, char** environment) {
  weir_self->stack_high = (uintptr_t)__builtin_frame_address(0);
  const int code = __real_main(count, arguments, environment);
  weir_main_returned = 1;
  weir_self->frame = (uintptr_t)__builtin_frame_address(0);
  run_object_destructors(weir_self);  // those of keys are not called when main returns
  REAL(exit)(code);
  return code;
}

void exit(int code) {
  weir_call_point("exit", CALLER, FRAME, NULL, NULL);
  weir_exiting = me();
  REAL(exit)(code);
  for (;;) pause();
}
int __cxa_atexit(void (*call)(void*), void* argument, void* module);
int atexit(void (*call)(void)) {
  POINT("atexit", NULL, NULL);
  return __cxa_atexit((void (*)(void*))call, NULL, NULL);
}
static void exit_at_once(int code, uintptr_t pc, uintptr_t frame) {
  if (!weir_active) weir_leave(code);
  weir_call_point("exit", pc, frame, NULL, NULL);
  weir_finish("ended", "%d", 0);
}
void _exit(int code) {
  exit_at_once(code, CALLER, FRAME);
  for (;;) pause();
}
void _Exit(int code) {
  exit_at_once(code, CALLER, FRAME);
  for (;;) pause();
}
void abort(void) {
  weir_call_point("abort", CALLER, FRAME, NULL, NULL);
  weir_finish("ended", "abort");
}
void _ZSt9terminatev(void) { weir_violation("terminate", CALLER, "std::terminate() is called"); }
void quick_exit(int code) {
  exit_at_once(code, CALLER, FRAME);
  for (;;) pause();
}

void __assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  (void)file, (void)line, (void)function;
  weir_violation("assertion", CALLER, "assertion \"%s\" fails", text);
}
// Of a program that does without the header.
__attribute__((weak)) int undeclared_assert(int holds) __asm__("assert");
int undeclared_assert(int holds) {
  if (!holds) weir_violation("assertion", CALLER, "an assertion fails");
  return 0;
}
__attribute__((weak)) void reach_error(void) { weir_violation("assertion", CALLER, "reach_error() is called"); }
__attribute__((weak)) void __VERIFIER_error(void) {
  weir_violation("assertion", CALLER, "__VERIFIER_error() is called");
}
__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition) weir_violation("assertion", CALLER, "__VERIFIER_assert fails");
}
__attribute__((weak)) void __VERIFIER_assume(int condition) {
  if (!condition) weir_finish("ended", "assume");
}
__attribute__((weak)) void assume_abort_if_not(int condition) {
  if (!condition) weir_finish("ended", "assume");
}
static const char atomic_blocks;  // stands for what orders them
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {
  POINT("atomic", NULL, NULL);
  DRAIN();
  weir_race_acquire(&atomic_blocks);
  weir_self->atomic++;
}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {
  DRAIN();
  weir_race_release(&atomic_blocks);
  weir_self->atomic--;
}

#define NONDET(type, name, low, high)                                             \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) {                     \
    return (type)weir_choose("nondet", CALLER, FRAME, low, high);                 \
  }
NONDET(int, int, 0, 3)
NONDET(unsigned, uint, 0, 3)
NONDET(unsigned, unsigned, 0, 3)
NONDET(unsigned, unsigned_int, 0, 3)
NONDET(long, long, 0, 3)
NONDET(unsigned long, ulong, 0, 3)
NONDET(long long, longlong, 0, 3)
NONDET(unsigned long long, ulonglong, 0, 3)
NONDET(short, short, 0, 3)
NONDET(unsigned short, ushort, 0, 3)
NONDET(char, char, 0, 3)
NONDET(unsigned char, uchar, 0, 3)
NONDET(_Bool, bool, 0, 1)
NONDET(_Bool, _Bool, 0, 1)
NONDET(size_t, size_t, 0, 3)
int rand(void) { return (int)weir_choose("rand", CALLER, FRAME, 0, 3); }
int rand_r(unsigned* seed) { return (void)seed, (int)weir_choose("rand", CALLER, FRAME, 0, 3); }
long random(void) { return weir_choose("rand", CALLER, FRAME, 0, 3); }
char* getenv_of_program(const char* name) { return (void)name, NULL; }

// --- Functions that read or write memory for the program: a point, and a look at the memory

static void touch(const char* name, const void* a, u64 a_size, const void* b, u64 b_size, uintptr_t pc,
                  uintptr_t frame) {
  if (!weir_active || !weir_self || weir_self->entered) return;
  weir_self->frame = frame;
  weir_point((struct event){.kind = kCall, .name = name, .pc = pc, .address = (uintptr_t)a, .size = (u32)a_size});
  weir_check_access((uintptr_t)a, a_size, 0, pc);
  if (b) weir_check_access((uintptr_t)b, b_size, 0, pc);
}

// The length of a text, which may not be one: at most what is left of its block.
static u64 text_size(const char* text) {
  if ((uintptr_t)text < 65536) return 1;
  u64 length = 0;
  while (length < 65536 && text[length]) length++;
  return length + 1;
}
static int is_watched(void) { return weir_active && weir_self && !weir_self->entered; }

#define ONE_TEXT(result, name, parameters, text, call) \
  result name parameters {                             \
    if (is_watched()) touch(#name, text, text_size(text), NULL, 0, CALLER, FRAME); \
    return REAL(name) call;                            \
  }
#define TWO_TEXTS(result, name, parameters, first, second, call) \
  result name parameters {                                       \
    if (is_watched()) touch(#name, first, text_size(first), second, text_size(second), CALLER, FRAME); \
    return REAL(name) call;                                      \
  }
ONE_TEXT(int, puts, (const char* text), text, (text))
ONE_TEXT(int, fputs, (const char* text, FILE* file), text, (text, file))
size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  if (is_watched()) touch("fwrite", from, size * count, NULL, 0, CALLER, FRAME);
  return REAL(fwrite)(from, size, count, file);
}
TWO_TEXTS(int, strcasecmp, (const char* a, const char* b), a, b, (a, b))

size_t strlen(const char* text) {
  if (is_watched()) touch("strlen", text, text_size(text), NULL, 0, CALLER, FRAME);
  return text_size(text) - 1 < 65536 ? text_size(text) - 1 : REAL(strlen)(text);
}
int strcmp(const char* a, const char* b) {
  if (is_watched()) touch("strcmp", a, text_size(a), b, text_size(b), CALLER, FRAME);
  while (*a && *a == *b) a++, b++;
  return (u8)*a - (u8)*b;
}
int strncmp(const char* a, const char* b, size_t size) {
  if (is_watched()) touch("strncmp", a, size ? 1 : 0, b, size ? 1 : 0, CALLER, FRAME);
  for (; size && *a && *a == *b; size--) a++, b++;
  return size ? (u8)*a - (u8)*b : 0;
}
char* strcpy(char* to, const char* from) {
  const u64 size = text_size(from);
  if (is_watched()) touch("strcpy", from, size, to, size, CALLER, FRAME);
  for (u64 i = 0; i < size; i++) to[i] = from[i];
  return to;
}
char* strncpy(char* to, const char* from, size_t size) {
  if (is_watched()) touch("strncpy", from, size ? 1 : 0, to, size, CALLER, FRAME);
  u64 i = 0;
  for (; i < size && from[i]; i++) to[i] = from[i];
  for (; i < size; i++) to[i] = 0;
  return to;
}
char* strcat(char* to, const char* from) {
  const u64 size = text_size(from);
  if (is_watched()) touch("strcat", from, size, to, text_size(to) + size - 1, CALLER, FRAME);
  char* end = to + text_size(to) - 1;
  for (u64 i = 0; i < size; i++) end[i] = from[i];
  return to;
}
char* strchr(const char* text, int wanted) {
  if (is_watched()) touch("strchr", text, text_size(text), NULL, 0, CALLER, FRAME);
  for (;; text++) {
    if (*text == (char)wanted) return (char*)text;
    if (!*text) return NULL;
  }
}
int memcmp(const void* a, const void* b, size_t size) {
  if (is_watched()) touch("memcmp", a, size, b, size, CALLER, FRAME);
  const u8 *x = a, *y = b;
  for (; size; size--, x++, y++)
    if (*x != *y) return *x - *y;
  return 0;
}

static int is_one_of(const char* set, char wanted) {
  for (; *set; set++)
    if (*set == wanted) return 1;
  return 0;
}

// One conversion of a format: what follows the percent sign.
struct conversion {
  int is_long;
  int64_t precision;  // negative: none
  char letter;
};

// Reads one, with the arguments that it takes before its own; returns where it ends.
static const char* read_conversion(const char* at, struct conversion* found, va_list* arguments) {
  *found = (struct conversion){.precision = -1};
  int after_point = 0;
  for (; *at && is_one_of("-+ #.0123456789lhzjt*", *at); at++) {
    if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') found->is_long = 1;
    if (*at == '.') after_point = 1, found->precision = 0;
    if (after_point && *at >= '0' && *at <= '9') found->precision = 10 * found->precision + (*at - '0');
    if (*at != '*') continue;
    const int number = va_arg(*arguments, int);
    if (after_point) found->precision = number;
  }
  found->letter = *at;
  return at;
}

static u64 text_size_within(const char* text, int64_t precision) {
  if (precision < 0 || (uintptr_t)text < 65536) return text_size(text);
  int64_t length = 0;
  while (length < precision && text[length]) length++;
  return (u64)(length < precision ? length + 1 : length);
}

// Texts that a format asks for.
static void look_at_texts(const char* format, va_list* arguments, uintptr_t pc) {
  weir_check_access((uintptr_t)format, text_size(format), 0, pc);
  for (const char* at = format; *at; at++) {
    if (*at != '%') continue;
    struct conversion found;
    at = read_conversion(at + 1, &found, arguments);
    if (!found.letter) return;
    if (found.letter == 's') {
      const char* text = va_arg(*arguments, const char*);
      if (text) weir_check_access((uintptr_t)text, text_size_within(text, found.precision), 0, pc);
    } else if (found.letter == 'f' || found.letter == 'g' || found.letter == 'e') {
      (void)va_arg(*arguments, double);
    } else if (found.letter == 'p' || found.is_long) {
      (void)va_arg(*arguments, long);
    } else if (found.letter != '%') {
      (void)va_arg(*arguments, int);
    }
  }
}

// How many bytes a text takes that is formatted.
static u64 formatted_size(const char* format, va_list* arguments) {
  return (u64)REAL(vsnprintf)(NULL, 0, format, *arguments) + 1;
}

#define PRINTS(name, parameters, to, most, call)                     \
  int name parameters {                                              \
    va_list arguments;                                               \
    if (is_watched()) {                                              \
      weir_call_point(#name, CALLER, FRAME, NULL, NULL);             \
      va_start(arguments, format);                                   \
      look_at_texts(format, &arguments, CALLER);                     \
      va_end(arguments);                                             \
      va_start(arguments, format);                                   \
      const u64 size = (most) ? formatted_size(format, &arguments) : 0; \
      va_end(arguments);                                             \
      weir_check_access((uintptr_t)(to), size < (most) ? size : (most), 1, CALLER); \
    }                                                                \
    va_start(arguments, format);                                     \
    const int written = call;                                        \
    va_end(arguments);                                               \
    return written;                                                  \
  }
PRINTS(printf, (const char* format, ...), NULL, (u64)0, REAL(vprintf)(format, arguments))
PRINTS(fprintf, (FILE* file, const char* format, ...), NULL, (u64)0, REAL(vfprintf)(file, format, arguments))
PRINTS(sprintf, (char* to, const char* format, ...), to, UINT64_MAX, REAL(vsprintf)(to, format, arguments))
PRINTS(snprintf, (char* to, size_t size_of_to, const char* format, ...), to, size_of_to,
       REAL(vsnprintf)(to, size_of_to, format, arguments))
