// pthread_once and call_once. As in the GNU C library: who finds it done has executed one acquiring load; who
// runs the function ends with a releasing store, which stays in the store buffer like any other.
#include <pthread.h>
#include <threads.h>

#include "internal.h"

enum { kNotStarted = 0, kInProgress = 1, kDone = 2 };

// If the function does not return, because of an exception or pthread_exit, it is as if it had not been called.
static void give_back(int** control) {
  if (*control) __atomic_store_n(*control, kNotStarted, __ATOMIC_RELEASE);
}

static void call_and_finish(int* control, void (*function)(void)) {
  int* unfinished __attribute__((cleanup(give_back))) = control;
  function();
  unfinished = NULL;
  __atomic_store_n(control, kDone, __ATOMIC_RELEASE);
}

static void run_once(int* control, void (*function)(void)) {
  if (__atomic_load_n(control, __ATOMIC_ACQUIRE) == kDone) return;
  for (int found = kNotStarted; found != kDone;) {
    __weir_atomic_begin("looks who calls the function");
    found = *control;
    if (found == kNotStarted) *control = kInProgress;
    __weir_atomic_end();
    if (found == kNotStarted) return call_and_finish(control, function);
    if (found == kInProgress) found = __weir_await_int(control, kInProgress);
  }
}

int pthread_once(pthread_once_t* control, void (*function)(void)) {
  run_once(control, function);
  return 0;
}

void call_once(once_flag* flag, void (*function)(void)) { run_once(&flag->__data, function); }
