#include "frontend/c/library/library.hpp"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringMap.h>

namespace weir::c {

namespace {

constexpr Treatment kFormatted = Treatment::kFormatted, kLowered = Treatment::kLowered,
                    kIgnored = Treatment::kIgnored, kAdapted = Treatment::kAdapted;

// By header, and there by name.
constexpr LibraryFunction kFunctions[] = {
    {"__assert_fail", "assert.h", "ssvs", kLowered},
    {"__assert", "assert.h", "ssv", kLowered},
    {"__assert_perror_fail", "assert.h", "vsvs", kLowered},
    {"assert", "assert.h", "v", kLowered},

    {"isalnum", "ctype.h", "v"},
    {"isalpha", "ctype.h", "v"},
    {"isdigit", "ctype.h", "v"},
    {"islower", "ctype.h", "v"},
    {"isprint", "ctype.h", "v"},
    {"ispunct", "ctype.h", "v"},
    {"isspace", "ctype.h", "v"},
    {"isupper", "ctype.h", "v"},
    {"isxdigit", "ctype.h", "v"},
    {"tolower", "ctype.h", "v"},
    {"toupper", "ctype.h", "v"},

    {"__errno_location", "errno.h", ""},

    {"setlocale", "locale.h", "vs"},

    {"memalign", "malloc.h", "vv"},

    {"poll", "poll.h", "uvv"},

    {"__pthread_cleanup_routine", "pthread.h", "c"},
    {"pthread_atfork", "pthread.h", "vvv"},
    {"pthread_attr_destroy", "pthread.h", "v"},
    {"pthread_attr_getdetachstate", "pthread.h", "rw"},
    {"pthread_attr_init", "pthread.h", "w"},
    {"pthread_attr_setdetachstate", "pthread.h", "wv"},
    {"pthread_attr_setguardsize", "pthread.h", "vv"},
    {"pthread_attr_setscope", "pthread.h", "vv"},
    {"pthread_attr_setstacksize", "pthread.h", "vv"},
    {"pthread_barrier_destroy", "pthread.h", "u"},
    {"pthread_barrier_init", "pthread.h", "wvv"},
    {"pthread_barrier_wait", "pthread.h", "u"},
    {"pthread_barrierattr_destroy", "pthread.h", "v"},
    {"pthread_barrierattr_init", "pthread.h", "v"},
    {"pthread_barrierattr_setpshared", "pthread.h", "vv"},
    {"pthread_cond_broadcast", "pthread.h", "u"},
    {"pthread_cond_clockwait", "pthread.h", "uuvr"},
    {"pthread_cond_destroy", "pthread.h", "u"},
    {"pthread_cond_init", "pthread.h", "wv"},
    {"pthread_cond_signal", "pthread.h", "u"},
    {"pthread_cond_timedwait", "pthread.h", "uur"},
    {"pthread_cond_wait", "pthread.h", "uu"},
    {"pthread_condattr_destroy", "pthread.h", "v"},
    {"pthread_condattr_init", "pthread.h", "v"},
    {"pthread_condattr_setclock", "pthread.h", "vv"},
    {"pthread_condattr_setpshared", "pthread.h", "vv"},
    {"pthread_create", "pthread.h", "wrcv"},
    {"pthread_detach", "pthread.h", "v"},
    {"pthread_equal", "pthread.h", "vv"},
    {"pthread_exit", "pthread.h", "v"},
    {"pthread_getspecific", "pthread.h", "v"},
    {"pthread_join", "pthread.h", "vw"},
    {"pthread_key_create", "pthread.h", "wc"},
    {"pthread_key_delete", "pthread.h", "v"},
    {"pthread_mutex_clocklock", "pthread.h", "uvr"},
    {"pthread_mutex_destroy", "pthread.h", "u"},
    {"pthread_mutex_init", "pthread.h", "wr"},
    {"pthread_mutex_lock", "pthread.h", "u"},
    {"pthread_mutex_timedlock", "pthread.h", "ur"},
    {"pthread_mutex_trylock", "pthread.h", "u"},
    {"pthread_mutex_unlock", "pthread.h", "u"},
    {"pthread_mutexattr_destroy", "pthread.h", "v"},
    {"pthread_mutexattr_gettype", "pthread.h", "rw"},
    {"pthread_mutexattr_init", "pthread.h", "w"},
    {"pthread_mutexattr_setpshared", "pthread.h", "vv"},
    {"pthread_mutexattr_settype", "pthread.h", "wv"},
    {"pthread_once", "pthread.h", "uc"},
    {"pthread_rwlock_clockrdlock", "pthread.h", "uvr"},
    {"pthread_rwlock_clockwrlock", "pthread.h", "uvr"},
    {"pthread_rwlock_destroy", "pthread.h", "u"},
    {"pthread_rwlock_init", "pthread.h", "wv"},
    {"pthread_rwlock_rdlock", "pthread.h", "u"},
    {"pthread_rwlock_timedrdlock", "pthread.h", "ur"},
    {"pthread_rwlock_timedwrlock", "pthread.h", "ur"},
    {"pthread_rwlock_tryrdlock", "pthread.h", "u"},
    {"pthread_rwlock_trywrlock", "pthread.h", "u"},
    {"pthread_rwlock_unlock", "pthread.h", "u"},
    {"pthread_rwlock_wrlock", "pthread.h", "u"},
    {"pthread_rwlockattr_destroy", "pthread.h", "v"},
    {"pthread_rwlockattr_getkind_np", "pthread.h", "vv"},
    {"pthread_rwlockattr_init", "pthread.h", "v"},
    {"pthread_rwlockattr_setkind_np", "pthread.h", "vv"},
    {"pthread_rwlockattr_setpshared", "pthread.h", "vv"},
    {"pthread_self", "pthread.h", ""},
    {"pthread_setaffinity_np", "pthread.h", "vvr"},
    {"pthread_setcancelstate", "pthread.h", "vw"},
    {"pthread_setcanceltype", "pthread.h", "vw"},
    {"pthread_setconcurrency", "pthread.h", "v"},
    {"pthread_setname_np", "pthread.h", "vs"},
    {"pthread_setspecific", "pthread.h", "vv"},
    {"pthread_spin_destroy", "pthread.h", "u"},
    {"pthread_spin_init", "pthread.h", "wv"},
    {"pthread_spin_lock", "pthread.h", "u"},
    {"pthread_spin_trylock", "pthread.h", "u"},
    {"pthread_spin_unlock", "pthread.h", "u"},
    {"pthread_testcancel", "pthread.h", ""},
    {"pthread_yield", "pthread.h", "", kIgnored},

    {"sched_getcpu", "sched.h", ""},
    {"sched_setaffinity", "sched.h", "vvr"},
    {"sched_yield", "sched.h", "", kIgnored},

    {"sem_clockwait", "semaphore.h", "uvr"},
    {"sem_destroy", "semaphore.h", "u"},
    {"sem_getvalue", "semaphore.h", "uw"},
    {"sem_init", "semaphore.h", "wvv"},
    {"sem_post", "semaphore.h", "u"},
    {"sem_timedwait", "semaphore.h", "ur"},
    {"sem_trywait", "semaphore.h", "u"},
    {"sem_wait", "semaphore.h", "u"},

    {"pthread_sigmask", "signal.h", "vrw"},
    {"sigemptyset", "signal.h", "w"},
    {"sigfillset", "signal.h", "w"},
    {"sigprocmask", "signal.h", "vrw"},

    {"__fprintf_chk", "stdio.h", "vvf.", kFormatted},
    {"__printf_chk", "stdio.h", "vf.", kFormatted},
    {"__snprintf_chk", "stdio.h", "wvvvf.", kFormatted},
    {"__sprintf_chk", "stdio.h", "wvvf.", kFormatted},
    {"__vfprintf_chk", "stdio.h", "vvfl"},
    {"__vsnprintf_chk", "stdio.h", "wvvvfl"},
    {"dprintf", "stdio.h", "vf.", kFormatted},
    {"fflush", "stdio.h", "v", kIgnored},
    {"fprintf", "stdio.h", "vf.", kFormatted},
    {"fputc", "stdio.h", "vv"},
    {"fputs", "stdio.h", "sv"},
    {"fwrite", "stdio.h", "rvvv"},
    {"perror", "stdio.h", "s"},
    {"printf", "stdio.h", "f.", kFormatted},
    {"putc", "stdio.h", "vv"},
    {"putchar", "stdio.h", "v"},
    {"puts", "stdio.h", "s"},
    {"setbuf", "stdio.h", "vw"},
    {"setlinebuf", "stdio.h", "v", kIgnored},
    {"setvbuf", "stdio.h", "vwvv"},
    {"snprintf", "stdio.h", "wvf.", kFormatted},
    {"sprintf", "stdio.h", "wf.", kFormatted},
    {"vdprintf", "stdio.h", "vfl"},
    {"vfprintf", "stdio.h", "vfl"},
    {"vprintf", "stdio.h", "fl"},
    {"vsnprintf", "stdio.h", "wvfl"},
    {"vsprintf", "stdio.h", "wfl"},

    {"_Exit", "stdlib.h", "v", kLowered},
    {"abort", "stdlib.h", "", kLowered},
    {"abs", "stdlib.h", "v"},
    {"aligned_alloc", "stdlib.h", "vv"},
    {"atexit", "stdlib.h", "c"},
    {"atoi", "stdlib.h", "s"},
    {"atol", "stdlib.h", "s"},
    {"atoll", "stdlib.h", "s"},
    {"bsearch", "stdlib.h", "rrvvc"},
    {"calloc", "stdlib.h", "vv"},
    {"div", "stdlib.h", "vv"},
    {"exit", "stdlib.h", "v"},
    {"free", "stdlib.h", "v"},
    {"getenv", "stdlib.h", "s"},
    {"labs", "stdlib.h", "v"},
    {"ldiv", "stdlib.h", "vv"},
    {"llabs", "stdlib.h", "v"},
    {"malloc", "stdlib.h", "v"},
    {"posix_memalign", "stdlib.h", "wvv"},
    {"qsort", "stdlib.h", "uvvc"},
    {"quick_exit", "stdlib.h", "v", kLowered},
    {"rand", "stdlib.h", ""},
    {"rand_r", "stdlib.h", "u"},
    {"random", "stdlib.h", ""},
    {"realloc", "stdlib.h", "uv"},
    {"reallocarray", "stdlib.h", "uvv"},
    {"srand", "stdlib.h", "v"},
    {"srand48", "stdlib.h", "v", kIgnored},
    {"srandom", "stdlib.h", "v"},
    {"strtol", "stdlib.h", "swv"},
    {"strtoll", "stdlib.h", "swv"},
    {"strtoul", "stdlib.h", "swv"},
    {"strtoull", "stdlib.h", "swv"},

    {"bcmp", "string.h", "rrv"},
    {"ffsl", "string.h", "v"},
    {"ffsll", "string.h", "v"},
    {"memchr", "string.h", "rvv"},
    {"memcmp", "string.h", "rrv"},
    {"memcpy", "string.h", "wrv", kLowered},
    {"memmove", "string.h", "wrv", kLowered},
    {"memset", "string.h", "wvv", kLowered},
    {"stpcpy", "string.h", "ws"},
    {"strcasecmp", "string.h", "ss"},
    {"strcat", "string.h", "us"},
    {"strchr", "string.h", "sv"},
    {"strcmp", "string.h", "ss"},
    {"strcpy", "string.h", "ws"},
    {"strcspn", "string.h", "ss"},
    {"strdup", "string.h", "s"},
    {"strerror", "string.h", "v"},
    {"strlen", "string.h", "s"},
    {"strncasecmp", "string.h", "ttv"},
    {"strncat", "string.h", "utv"},
    {"strncmp", "string.h", "ttv"},
    {"strncpy", "string.h", "wtv"},
    {"strndup", "string.h", "tv"},
    {"strnlen", "string.h", "tv"},
    {"strpbrk", "string.h", "ss"},
    {"strrchr", "string.h", "sv"},
    {"strspn", "string.h", "ss"},
    {"strstr", "string.h", "ss"},

    {"ffs", "strings.h", "v"},

    {"get_nprocs", "sys/sysinfo.h", ""},
    {"get_nprocs_conf", "sys/sysinfo.h", ""},

    {"gettimeofday", "sys/time.h", "wv"},

    {"syslog", "syslog.h", "vf.", kFormatted},
    {"vsyslog", "syslog.h", "vfl"},

    {"call_once", "threads.h", "uc"},
    {"cnd_broadcast", "threads.h", "u"},
    {"cnd_destroy", "threads.h", "u"},
    {"cnd_init", "threads.h", "w"},
    {"cnd_signal", "threads.h", "u"},
    {"cnd_timedwait", "threads.h", "uur"},
    {"cnd_wait", "threads.h", "uu"},
    {"mtx_destroy", "threads.h", "u"},
    {"mtx_init", "threads.h", "wv"},
    {"mtx_lock", "threads.h", "u"},
    {"mtx_timedlock", "threads.h", "ur"},
    {"mtx_trylock", "threads.h", "u"},
    {"mtx_unlock", "threads.h", "u"},
    {"thrd_create", "threads.h", "wcv"},
    {"thrd_current", "threads.h", ""},
    {"thrd_detach", "threads.h", "v"},
    {"thrd_equal", "threads.h", "vv"},
    {"thrd_exit", "threads.h", "v"},
    {"thrd_join", "threads.h", "vw"},
    {"thrd_sleep", "threads.h", "rw"},
    {"thrd_yield", "threads.h", ""},
    {"tss_create", "threads.h", "wc"},
    {"tss_delete", "threads.h", "v"},
    {"tss_get", "threads.h", "v"},
    {"tss_set", "threads.h", "vv"},

    {"clock", "time.h", ""},
    {"clock_getres", "time.h", "vw"},
    {"clock_gettime", "time.h", "vw"},
    {"clock_nanosleep", "time.h", "vvrw"},
    {"nanosleep", "time.h", "rw"},
    {"time", "time.h", "w"},
    {"timespec_get", "time.h", "wv"},

    {"_exit", "unistd.h", "v", kLowered},
    {"alarm", "unistd.h", "v", kIgnored},
    {"getpagesize", "unistd.h", ""},
    {"getpid", "unistd.h", ""},
    {"gettid", "unistd.h", ""},
    {"sleep", "unistd.h", "v", kIgnored},
    {"syscall", "unistd.h", "v.", kAdapted},
    {"sysconf", "unistd.h", "v"},
    {"usleep", "unistd.h", "v", kIgnored},
    {"write", "unistd.h", "vrv"},

    {"__VERIFIER_assert", "verification tasks", "v", kLowered},
    {"__VERIFIER_assume", "verification tasks", "v", kLowered},
    {"__VERIFIER_atomic_begin", "verification tasks", "", kLowered},
    {"__VERIFIER_atomic_end", "verification tasks", "", kLowered},
    {"__VERIFIER_error", "verification tasks", "", kLowered},
    {"assume_abort_if_not", "verification tasks", "v", kLowered},
    {"reach_error", "verification tasks", "", kLowered},
};

}  // namespace

llvm::ArrayRef<LibraryFunction> library_functions() { return kFunctions; }

const LibraryFunction* library_function(llvm::StringRef name) {
  static const llvm::StringMap<const LibraryFunction*> by_name = [] {
    llvm::StringMap<const LibraryFunction*> result;
    for (const LibraryFunction& function : kFunctions) result[function.name] = &function;
    return result;
  }();
  return by_name.lookup(name);
}

std::optional<unsigned> format_argument(const LibraryFunction& function) {
  const std::size_t place = function.arguments.find('f');
  return place == llvm::StringRef::npos ? std::nullopt : std::optional(static_cast<unsigned>(place));
}

std::string library_in_words() {
  llvm::MapVector<llvm::StringRef, std::string> by_header;
  for (const LibraryFunction& function : kFunctions) {
    std::string& names = by_header[function.header];
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", function.name.str());
  }
  std::string text = "| header | functions |\n| --- | --- |\n";
  for (const auto& [header, names] : by_header) {
    const bool is_file = header.ends_with(".h");
    text += fmt::format("| {} | {} |\n", is_file ? fmt::format("`{}`", header.str()) : header.str(), names);
  }
  return text;
}

}  // namespace weir::c
