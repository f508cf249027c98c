// Time passes when the scheduler says so: sleeping costs none, and after a wait that has timed out the clocks show its
// deadline, so that loops which look at them come to an end.
#include <sys/syscall.h>
#include <sys/time.h>

#include "native.h"

enum { kSecond = 1000000000 };

static int64_t ahead;  // nanoseconds that the clocks of the program are ahead of the system's

// Of times that are a hundred years away nobody sees more.
static int64_t nanoseconds(const struct timespec* time) {
  const int64_t most = 1ll << 32, seconds = time->tv_sec;
  return (seconds > most ? most : seconds < -most ? -most : seconds) * kSecond + time->tv_nsec;
}
static void pass(int64_t nanoseconds) {
  if (nanoseconds > 0 && ahead < 1ll << 61) ahead += nanoseconds;
}
static struct timespec time_of(int64_t nanoseconds) {
  return (struct timespec){.tv_sec = nanoseconds / kSecond, .tv_nsec = nanoseconds % kSecond};
}

static int measures_time(clockid_t clock) {
  return clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0;
}

static int64_t now_of(clockid_t clock) {
  struct timespec now = {0, 0};
  weir_raw_syscall(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
  return nanoseconds(&now) + (measures_time(clock) ? ahead : 0);
}

int weir_is_bad_time(const struct timespec* time) { return time->tv_nsec < 0 || time->tv_nsec >= kSecond; }

struct timespec weir_time_after(clockid_t clock, const struct timespec* span) {
  return time_of(now_of(clock) + nanoseconds(span));
}

int weir_time_has_come(clockid_t clock, const struct timespec* deadline) {
  pass(nanoseconds(deadline) - now_of(clock));
  return ETIMEDOUT;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  *now = time_of(now_of(clock));
  return 0;
}
int timespec_get(struct timespec* now, int base) { return clock_gettime(CLOCK_REALTIME, now), base; }
time_t time(time_t* now) {
  const time_t seconds = now_of(CLOCK_REALTIME) / kSecond;
  if (now) *now = seconds;
  return seconds;
}
int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  const int64_t found = now_of(CLOCK_REALTIME);
  *now = (struct timeval){.tv_sec = found / kSecond, .tv_usec = found % kSecond / 1000};
  return 0;
}

int sched_yield(void) { return 0; }
void thrd_yield(void) {}

int usleep(unsigned microseconds) {
  pass((int64_t)microseconds * 1000);
  return 0;
}
unsigned sleep(unsigned seconds) {
  pass((int64_t)seconds * kSecond);
  return 0;
}
static int sleep_for(const struct timespec* time, uintptr_t pc) {
  weir_check_access((uintptr_t)time, sizeof *time, 0, pc);
  if (!weir_is_bad_time(time)) pass(nanoseconds(time));
  return 0;
}
int nanosleep(const struct timespec* time, struct timespec* rest) {
  return (void)rest, sleep_for(time, CALLER);
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* rest) {
  (void)rest;
  if (!(flags & TIMER_ABSTIME)) return sleep_for(time, CALLER);
  weir_check_access((uintptr_t)time, sizeof *time, 0, CALLER);
  weir_time_has_come(clock, time);
  return 0;
}
int thrd_sleep(const struct timespec* time, struct timespec* rest) {
  return (void)rest, sleep_for(time, CALLER);
}
