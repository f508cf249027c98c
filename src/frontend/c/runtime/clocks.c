// Clocks. Between two looks at them any time may have passed: none, or a day, which is longer than anybody waits. How much,
// each thread finds out by itself, so clocks of two threads cannot be compared; after it has slept, some. It happens a few times only, since a thread
// that looks again and again would otherwise never come back to a state in which it has been; a safe answer names that.
// Timed waits do not look at clocks: they may time out at any moment.
#include <sys/time.h>

#include "cplusplus.h"

enum { kMostDays = 3, kSecondsOfDay = 86400, kFirstSecond = 1000000 };

static _Thread_local int days;  // 0: nobody has looked yet, so nothing can be told from it

_Thread_local _Bool __weir_has_slept;

static long long seconds(void) {
  __weir_assumption("a thread sees time pass at most three times, by a day");
  if (days == 0 || (days <= kMostDays && (__weir_has_slept || __weir_choose(0, 1)))) days++;
  __weir_has_slept = 0;
  return kFirstSecond + (long long)days * kSecondsOfDay;
}

time_t time(time_t* now) {
  time_t found = (time_t)seconds();
  if (now) *now = found;
  return found;
}

clock_t clock(void) { return (clock_t)(seconds() - kFirstSecond - kSecondsOfDay); }

int clock_gettime(clockid_t clock, struct timespec* now) {
  (void)clock;
  now->tv_sec = (time_t)seconds();
  now->tv_nsec = 0;
  return 0;
}

int clock_getres(clockid_t clock, struct timespec* resolution) {
  (void)clock;
  if (!resolution) return 0;
  resolution->tv_sec = 0;
  resolution->tv_nsec = 1;
  return 0;
}

int timespec_get(struct timespec* now, int base) {
  clock_gettime(CLOCK_REALTIME, now);
  return base;
}

int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  now->tv_sec = (time_t)seconds();
  now->tv_usec = 0;
  return 0;
}

// The processor's counter.
unsigned long long __weir_cycles(void);
unsigned long long __weir_cycles(void) { return (unsigned long long)seconds() * 1000000000u; }

// std::chrono::system_clock and steady_clock count nanoseconds.

long long system_clock_now(void) NAMED("_ZNSt6chrono3_V212system_clock3nowEv");
long long system_clock_now(void) { return seconds() * 1000000000; }
long long steady_clock_now(void) NAMED("_ZNSt6chrono3_V212steady_clock3nowEv");
long long steady_clock_now(void) { return seconds() * 1000000000; }
