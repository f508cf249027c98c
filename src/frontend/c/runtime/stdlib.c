// The few other functions of the C library that programs use and that have something to do with their result.
// What comes from outside the program is fixed or one of a few values; that is said as a restriction.
#include <ctype.h>
#include <stdlib.h>
#include <sys/time.h>
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

long atol(const char* text) {
  while (isspace((unsigned char)*text)) text++;
  int negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  long number = 0;
  for (; isdigit((unsigned char)*text); text++) number = 10 * number - (*text - '0');
  return negative ? number : -number;
}

int atoi(const char* text) { return (int)atol(text); }
long long atoll(const char* text) { return atol(text); }

void srand(unsigned seed) { (void)seed; }
void srandom(unsigned seed) { (void)seed; }

int rand(void) {
  __weir_restriction("rand() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

int rand_r(unsigned* seed) {
  (void)seed;
  __weir_restriction("rand_r() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

long random(void) {
  __weir_restriction("random() gives 0 to 3 only");
  return __weir_choose(0, 3);
}

char* getenv(const char* name) {
  (void)name;
  __weir_restriction("the environment is empty: getenv() gives NULL");
  return NULL;
}

enum { kNow = 1000000 };  // seconds

time_t time(time_t* now) {
  __weir_restriction("time stands still: time() always gives the same");
  if (now) *now = kNow;
  return kNow;
}

clock_t clock(void) {
  __weir_restriction("time stands still: clock() always gives the same");
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  (void)clock;
  __weir_restriction("time stands still: clock_gettime() always gives the same");
  now->tv_sec = kNow;
  now->tv_nsec = 0;
  return 0;
}

int timespec_get(struct timespec* now, int base) {
  __weir_restriction("time stands still: timespec_get() always gives the same");
  now->tv_sec = kNow;
  now->tv_nsec = 0;
  return base;
}

int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  __weir_restriction("time stands still: gettimeofday() always gives the same");
  now->tv_sec = kNow;
  now->tv_usec = 0;
  return 0;
}

pid_t getpid(void) { return 1; }

long sysconf(int name) {
  __weir_restriction("sysconf() gives 4 or -1 only");
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 4 : -1;
}
