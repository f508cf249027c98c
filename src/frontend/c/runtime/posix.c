// What programs ask the system for in passing: how many processors there are, what an error is called, to wait a while.
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "internal.h"

#undef ffs
#undef ffsl
#undef ffsll

int ffs(int number) { return number == 0 ? 0 : __builtin_ctz((unsigned)number) + 1; }
int ffsl(long number) { return number == 0 ? 0 : __builtin_ctzl((unsigned long)number) + 1; }
int ffsll(long long number) { return number == 0 ? 0 : __builtin_ctzll((unsigned long long)number) + 1; }

int get_nprocs(void) {
  __weir_restriction("get_nprocs() gives 4");
  return 4;
}

int get_nprocs_conf(void) {
  __weir_restriction("get_nprocs_conf() gives 4");
  return 4;
}

int sched_getcpu(void) {
  __weir_restriction("sched_getcpu() gives 0 or 1 only");
  return __weir_choose(0, 1);
}

int getpagesize(void) { return 4096; }

// As in the GNU C library.
char* strerror(int error) {
  switch (error) {
    case 0: return "Success";
    case EPERM: return "Operation not permitted";
    case ENOENT: return "No such file or directory";
    case ESRCH: return "No such process";
    case EINTR: return "Interrupted system call";
    case EIO: return "Input/output error";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case EBUSY: return "Device or resource busy";
    case EINVAL: return "Invalid argument";
    case ERANGE: return "Numerical result out of range";
    case EDEADLK: return "Resource deadlock avoided";
    case ENOSYS: return "Function not implemented";
    case ETIMEDOUT: return "Connection timed out";
    default: __weir_give_up("strerror() of a rare error");
  }
}

// Without files it is a sleep.
int poll(struct pollfd* files, nfds_t count, int timeout) {
  (void)files;
  if (count != 0) __weir_give_up("poll() for files");
  if (timeout < 0) __weir_wait_until(0);
  return 0;
}

// There are no signals and no other processes.

int sigemptyset(sigset_t* set) { return memset(set, 0, sizeof *set), 0; }
int sigfillset(sigset_t* set) { return memset(set, 0xFF, sizeof *set), 0; }

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  (void)how, (void)set;
  if (old) sigemptyset(old);
  return 0;
}

int sigprocmask(int how, const sigset_t* set, sigset_t* old) { return pthread_sigmask(how, set, old); }

int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  (void)before, (void)in_parent, (void)in_child;
  return 0;
}
