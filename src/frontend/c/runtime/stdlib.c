// The few other functions of the C library that programs use and that have something to do with their result.
// What comes from outside the program is fixed or one of a few values; that is said as a restriction.
#include <ctype.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static _Thread_local int error_number;

int* __errno_location(void) { return &error_number; }

int abs(int number) { return number < 0 ? -number : number; }
long labs(long number) { return number < 0 ? -number : number; }
long long llabs(long long number) { return number < 0 ? -number : number; }

div_t div(int number, int divisor) {
  div_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

ldiv_t ldiv(long number, long divisor) {
  ldiv_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

#undef isdigit
#undef isspace
#undef isupper
#undef islower
#undef isalpha
#undef isalnum
#undef isxdigit
#undef isprint
#undef ispunct
#undef tolower
#undef toupper

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= ' ' && c <= '~'; }
int ispunct(int c) { return c > ' ' && c <= '~' && !isalnum(c); }
int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }

long long atoll(const char* text) {
  while (isspace((unsigned char)*text)) text++;
  int negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  long long number = 0;
  for (; isdigit((unsigned char)*text); text++) number = 10 * number - (*text - '0');
  return negative ? number : -number;
}

long atol(const char* text) { return (long)atoll(text); }
int atoi(const char* text) { return (int)atol(text); }

static int digit_value(char character) {
  if (isdigit((unsigned char)character)) return character - '0';
  if (isalpha((unsigned char)character)) return tolower((unsigned char)character) - 'a' + 10;
  return 36;
}

// A number without its sign, as far as it goes; `end` is behind it, or `text` if there is none.
static unsigned long long magnitude(const char* text, const char** end, int base, int* overflow) {
  unsigned long long number = 0;
  *end = text;
  int hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_value(text[2]) < 16;
  if ((base == 0 || base == 16) && hexadecimal) {
    base = 16;
    text += 2;
  }
  if (base == 0) base = *text == '0' ? 8 : 10;
  for (; digit_value(*text) < base; *end = ++text) {
    *overflow |= __builtin_mul_overflow(number, (unsigned long long)base, &number);
    *overflow |= __builtin_add_overflow(number, (unsigned long long)digit_value(*text), &number);
  }
  return number;
}

// Gives the magnitude, and whether there is a minus before it.
static unsigned long long parse(const char* text, char** end, int base, int* negative, int* overflow) {
  const char* start = text;
  while (isspace((unsigned char)*start)) start++;
  *negative = *start == '-';
  if (*start == '-' || *start == '+') start++;
  const char* behind;
  unsigned long long number = magnitude(start, &behind, base, overflow);
  if (end) *end = (char*)(behind == start ? text : behind);
  return number;
}

// A number of which `most` is the largest magnitude, that of the least one being larger by 1.
static long long parse_signed(const char* text, char** end, int base, unsigned long long most) {
  int negative, overflow = 0;
  unsigned long long number = parse(text, end, base, &negative, &overflow);
  most += negative ? 1 : 0;
  if (overflow || number > most) {
    error_number = ERANGE;
    number = most;
  }
  return (long long)(negative ? 0 - number : number);
}

static unsigned long long parse_unsigned(const char* text, char** end, int base, unsigned long long most) {
  int negative, overflow = 0;
  unsigned long long number = parse(text, end, base, &negative, &overflow);
  if (overflow || number > most) {
    error_number = ERANGE;
    return most;
  }
  return negative ? 0 - number : number;
}

long strtol(const char* text, char** end, int base) { return (long)parse_signed(text, end, base, LONG_MAX); }
unsigned long strtoul(const char* text, char** end, int base) {
  return (unsigned long)parse_unsigned(text, end, base, ULONG_MAX);
}
long long strtoll(const char* text, char** end, int base) { return parse_signed(text, end, base, LLONG_MAX); }
unsigned long long strtoull(const char* text, char** end, int base) {
  return parse_unsigned(text, end, base, ULLONG_MAX);
}

// Elements of the usual sizes are moved as a whole, as the program accesses them.
static void swap(char* left, char* right, size_t size) {
  if (size == sizeof(int)) {
    int moved = *(int*)left;
    *(int*)left = *(int*)right;
    *(int*)right = moved;
  } else if (size == sizeof(long long)) {
    long long moved = *(long long*)left;
    *(long long*)left = *(long long*)right;
    *(long long*)right = moved;
  } else {
    for (size_t i = 0; i < size; i++) {
      char moved = left[i];
      left[i] = right[i];
      right[i] = moved;
    }
  }
}

void qsort(void* items, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  char* first = items;
  for (size_t sorted = 1; sorted < count; sorted++) {
    for (char* at = first + sorted * size; at > first && compare(at - size, at) > 0; at -= size)
      swap(at - size, at, size);
  }
}

void* bsearch(const void* key, const void* items, size_t count, size_t size,
              int (*compare)(const void*, const void*)) {
  const char* first = items;
  while (count > 0) {
    const char* middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void*)middle;
    if (order > 0) {
      first = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}

void srand(unsigned seed) { (void)seed; }
void srandom(unsigned seed) { (void)seed; }

int rand(void) {
  __weir_restriction("rand() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

int rand_r(unsigned* seed) {
  unsigned state = *seed;
  *seed = state;
  __weir_restriction("rand_r() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

long random(void) {
  __weir_restriction("random() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

char* getenv(const char* name) {
  (void)strlen(name);
  __weir_restriction("the environment is empty: getenv() gives NULL");
  return NULL;
}

pid_t getpid(void) { return 1; }

long sysconf(int name) {
  __weir_restriction("sysconf() gives 4 or -1 only");
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 4 : -1;
}

// Sleeping takes no time but on clocks, and nobody interrupts it.

static int sleep_for(const struct timespec* duration) {
  __weir_has_slept = 1;
  return valid_time(duration) ? 0 : EINVAL;
}

int nanosleep(const struct timespec* duration, struct timespec* left) {
  (void)left;
  int error = sleep_for(duration);
  if (error) error_number = error;
  return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration, struct timespec* left) {
  (void)clock, (void)flags, (void)left;
  return sleep_for(duration);
}

// Where threads run makes no difference.

static void read_set(size_t size, const cpu_set_t* set) {
  const volatile unsigned long* words = (const volatile unsigned long*)set;
  for (size_t i = 0; i < size / sizeof *words; i++) (void)words[i];
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) {
  (void)process;
  read_set(size, set);
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
  (void)thread;
  read_set(size, set);
  return 0;
}

// There is one locale.
char* setlocale(int category, const char* name) {
  (void)category;
  if (name && name[0] && strcmp(name, "C") && strcmp(name, "POSIX")) return NULL;
  return "C";
}
