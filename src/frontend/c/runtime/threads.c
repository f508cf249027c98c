// Threads: the two entry points, and POSIX threads over the table of slots.
//
// A slot is dormant until a thread is created in it, runs, finishes and is joined, and is never used again.
// Every step from one to the next is an atomic block, and so drains the store buffer: creating a thread is a
// system call, a thread that ends executes locked instructions, and so does a join.
#include <pthread.h>
#include <string.h>

#include "internal.h"

enum { kDormant = 0, kRunning = 1, kFinished = 2, kJoined = 3 };  // main runs from the start, as kDormant
enum { kThreadDetached = 1, kThreadSleeps = 2 };                  // flags

int __weir_call_main(void);          // the user's main; made by the pipeline
void __weir_run_constructors(void);  // of static objects; made by the pipeline

static _Thread_local int created_here;

_Thread_local void (*__weir_at_thread_end)(void);

static _Thread_local int joined_here;

static void finish(void* result) {
  struct __weir_thread* self = &__weir_threads[__weir_self()];
  if (__weir_destroy_thread_locals) __weir_destroy_thread_locals();
  if (__weir_at_thread_end) __weir_at_thread_end();
  __weir_end_thread_variables();
  __weir_atomic_begin("ends");
  self->result = result;
  self->state = kFinished;
  __weir_atomic_end();
}

// Does a thread but the caller run, or may it still? In an atomic block.
static int another_runs(void) {
  for (int slot = 0; slot < __weir_thread_limit(); slot++) {
    if (slot == __weir_self()) continue;
    int state = __weir_threads[slot].state;
    if (state == kRunning || (slot == 0 && state == kDormant)) return 1;
  }
  return 0;
}

void __weir_await_others(void) {
  __weir_atomic_begin("is the last thread");
  __weir_wait_until(!another_runs());
  __weir_atomic_end();
}

// The end of the process is no deadlock for threads that wait, and leaves no state in which they do. Only if nobody
// else runs is it a state like any other, in which memory that was not released can be seen.
void __weir_end_program(void) {
  int alone = __weir_self() == 0 && joined_here == __weir_thread_limit() - 1;
  if (!alone && __weir_process_ends()) {
    __weir_atomic_begin("ends the program");
    alone = !another_runs();
    __weir_atomic_end();
  }
  if (!alone) __weir_halt();
  __weir_thread_stop();
}

// Returning from main is to call exit. Where executions are counted or their ends compared, the others go on instead:
// they could have been faster.
void __weir_program_main(void) {
  __weir_run_constructors();
  __weir_call_main();
  __weir_main_returned();
  if (__weir_process_ends()) __weir_end_program();
  __weir_atomic_begin("ends");
  __weir_threads[0].state = kFinished;
  __weir_atomic_end();
}

void __weir_thread_main(void) {
  __weir_atomic_begin("starts");
  struct __weir_thread* self = &__weir_threads[__weir_self()];
  __weir_wait_until(self->state == kRunning);
  void* (*start)(void*) = self->start;
  void* argument = self->argument;
  __weir_atomic_end();
  finish(start(argument));
}

// The slot that nobody else wants: those of main's threads follow main, and the first thread that another one creates
// has the slot at the same distance from the end. So threads that create threads need not look at each other.
static int preferred_slot(int created_before) {
  if (__weir_self() == 0) return created_before + 1;
  return created_before == 0 ? __weir_thread_limit() - __weir_self() : 0;
}

// In an atomic block.
static int dormant_slot(int preferred) {
  int limit = __weir_thread_limit();
  if (preferred > 0 && preferred < limit && __weir_threads[preferred].state == kDormant) return preferred;
  for (int slot = 1; slot < limit; slot++) {
    if (__weir_threads[slot].state == kDormant) return slot;
  }
  __weir_give_up("more threads are created than --threads allows");
}

int __weir_spawn(void* (*start)(void*), void* argument, void* note, int detached, thread_id* id) {
  int preferred = preferred_slot(created_here++);
  if (__weir_checks_races()) *id = 0;  // what is written in the block is not seen to race with another block
  __weir_atomic_begin("creates a thread");
  int slot = dormant_slot(preferred);
  struct __weir_thread* thread = &__weir_threads[slot];
  thread->start = start;
  thread->argument = argument;
  thread->result = note;
  thread->flags = detached ? kThreadDetached : 0;
  thread->state = kRunning;
  *id = (thread_id)slot + 1;  // before the new thread runs, as in the GNU C library
  __weir_atomic_end();
  return slot;
}

static int was_created(thread_id id) {
  if (id == 1) return 1;
  return id <= (thread_id)__weir_thread_limit() && id != 0 && __weir_threads[id - 1].state != kDormant;
}

void* __weir_join(thread_id id) {
  if (id == self_id()) __weir_fail("a thread joins itself");
  __weir_atomic_begin("joins a thread");
  if (!was_created(id)) __weir_fail("joins a thread that was never created");
  struct __weir_thread* thread = &__weir_threads[id - 1];
  if (thread->flags & kThreadDetached) __weir_fail("joins a detached thread");
  if (thread->state == kJoined) __weir_fail("joins a thread that was joined already");
  __weir_wait_until(thread->state == kFinished);
  void* result = thread->result;
  thread->state = kJoined;
  __weir_atomic_end();
  joined_here++;
  return result;
}

void __weir_detach(thread_id id) {
  __weir_atomic_begin("detaches a thread");
  if (!was_created(id)) __weir_fail("detaches a thread that was never created");
  struct __weir_thread* thread = &__weir_threads[id - 1];
  if (thread->flags & kThreadDetached) __weir_fail("detaches a thread that was detached already");
  if (thread->state == kJoined) __weir_fail("detaches a thread that was joined already");
  thread->flags |= kThreadDetached;
  __weir_atomic_end();
}

static WEIR_NORETURN void leave_thread(void* result) {
  __weir_end_variables();
  finish(result);
  if (__weir_self() == 0) __weir_main_left();
  __weir_thread_stop();
}

static _Thread_local void* exit_result;

void __weir_exit_thread(void* result) {
  if (__weir_unwinds()) {
    exit_result = result;
    __weir_start_forced_unwinding();
    __weir_unwind();
  }
  leave_thread(result);
}

// The outermost function of a thread is left.
void __weir_leave_unwound(void) {
  __weir_end_unwinding();
  void* result = exit_result;
  exit_result = NULL;
  leave_thread(result);
}

void __weir_fall_asleep(void) { __weir_threads[__weir_self()].flags |= kThreadSleeps; }

int __weir_sleeps(void) { return (__weir_threads[__weir_self()].flags & kThreadSleeps) != 0; }

void __weir_wake(int thread) { __weir_threads[thread].flags &= ~kThreadSleeps; }

void __weir_wake_all(thread_set sleepers) {
  for (int thread = 0; sleepers != 0; thread++, sleepers >>= 1) {
    if (sleepers & 1) __weir_wake(thread);
  }
}

int __weir_any_member(thread_set set) {
  for (int thread = 0;; thread++, set >>= 1) {
    if ((set & 1) != 0 && (set == 1 || __weir_choose(0, 1))) return thread;
  }
}

// Attributes: only whether the thread is detached matters, and that is all that is kept.

static long* attributes_of(const pthread_attr_t* attributes) { return (long*)attributes; }

int pthread_attr_init(pthread_attr_t* attributes) {
  *attributes_of(attributes) = PTHREAD_CREATE_JOINABLE;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t* attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  *attributes_of(attributes) = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state) {
  *state = (int)*attributes_of(attributes);
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t size) {
  (void)attributes;
  (void)size;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t* attributes, size_t size) {
  (void)attributes;
  (void)size;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t* attributes, int scope) {
  (void)attributes;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : ENOTSUP;
}

// POSIX names.

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  int detached = attributes && *attributes_of(attributes) == PTHREAD_CREATE_DETACHED;
  int slot = __weir_spawn(start, argument, NULL, detached, thread);
  if (__weir_checks_races()) *thread = (thread_id)slot + 1;  // POSIX: perhaps when the new thread runs already
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  void* returned = __weir_join(thread);
  if (result) *result = returned;
  return 0;
}

int pthread_detach(pthread_t thread) {
  __weir_detach(thread);
  return 0;
}

void pthread_exit(void* result) { __weir_exit_thread(result); }

pthread_t pthread_self(void) { return self_id(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_setname_np(pthread_t thread, const char* name) {
  (void)thread;
  (void)strlen(name);
  return 0;
}

int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }

// Nothing is ever cancelled: pthread_cancel is not supported, so these change nothing that can be seen.

int pthread_setcancelstate(int state, int* old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (old) *old = PTHREAD_CANCEL_ENABLE;
  return 0;
}

int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old) *old = PTHREAD_CANCEL_DEFERRED;
  return 0;
}

void pthread_testcancel(void) {}

// Handlers that are to run if the thread ends: what pthread_cleanup_push means where functions can be left by an
// exception (in C, with -fexceptions).
void __pthread_cleanup_routine(struct __pthread_cleanup_frame* frame) {
  if (frame->__do_it) frame->__cancel_routine(frame->__cancel_arg);
}
