// What the parts of the native runtime share. The runtime stands behind a C program that clang instrumented
// for its thread sanitizer, in the place of that sanitizer's own library: the program really runs, on real
// threads, but one at a time, and every access, atomic operation and pthread call is a point where the
// scheduler may let another thread go on. It shares no code with the front end for C or its runtime; that is
// its use.
#pragma once

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unwind.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define CALLER ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0) + 16)  // where the caller's frame begins

enum { kMostThreads = 64, kMostStores = 4096, kUnwritten = 0xa5 };

// What a thread is about to do.
enum event_kind {
  kNothing,
  kRead,
  kWrite,
  kUpdate,  // atomic read-modify-write
  kFence,
  kRange,  // reads or writes many bytes
  kCall,   // of the library
  kStart,
  kEnd,
  kCheck,  // a choice of a value
  kLeave,  // a variable on the stack ends
};

struct thread;
typedef int ready_fn(struct thread* thread);

struct event {
  enum event_kind kind;
  const char* name;
  uintptr_t pc;  // where the program called
  uintptr_t address;
  u32 size;
  int quiet;        // no point to switch at: happens with what follows
  int atomic;       // an atomic access
  ready_fn* ready;  // null: always
  void* object;     // for `ready`
};

// A store that the thread has executed and others do not see yet.
struct store {
  uintptr_t address;
  u32 size;
  u32 fences;     // of the thread before it that keep earlier stores before later ones
  int after_all;  // a releasing store: leaves the buffer when all earlier ones have
  int is_free;    // `address` is a block that is given back
  uintptr_t pc;   // of the instruction
  int64_t key;    // what the schedule calls its address
  u64 number;
  u8 bytes[16];
  u8 under[16];  // what memory shows without it, while it is shown
};

// Memory that is used once: a block of the heap, or a variable on the stack.
struct block {
  uintptr_t address;
  u64 size;
  int alive, by_user;
  int ended_by;  // the number of the thread that gave it back; of a variable: whose it is
  char made_by;  // m (malloc and the like), n (new), a (new[]), s (variable on the stack)
  // Of variables:
  int started;  // clang tells where it begins and ends
  u32 alignment;
  const char* name;
  uintptr_t frame;      // of its function
  struct block* older;  // the variable of the thread that began before
};
enum { kStackVariable = 's' };

struct thread {
  int number;
  int exists, ended, joined, detached, in_create;
  volatile int go;  // futex: 1 when it may run
  pthread_t real;
  void* (*start)(void*);
  int (*start_c11)(void*);
  void* argument;
  void* result;
  uintptr_t stack_low, stack_high;
  uintptr_t top;  // above the stack, up to here, are the thread-local variables
  uintptr_t frame;  // below it the stack is free
  struct block* newest;  // of its variables on the stack
  uintptr_t left_at;     // where it ended variables, if that was its last event
  struct event event;
  int entered;  // nesting of the runtime: what is called from inside it is not seen
  int atomic;   // inside __VERIFIER_atomic_begin
  // The plain store that was announced and is executed by now.
  struct store announced;
  int has_announced;
  // The store buffer, oldest first.
  struct store* stores;
  int store_count;
  int shown;
  u32 fences;
  u64 store_number;
  // What the scheduler says about the event that is let go.
  int buffer_it;  // a plain store goes to the buffer
  int64_t key, value;
  int has_value;
  int64_t choice;  // made by the schedule inside the call that comes next
  char piece_kind;  // of a copy: what the schedule does next, R or W, and how many bytes; 0: the rest
  u32 piece_size;
  // Condition variables and barriers.
  void* waits_for;
  int woken, may_time_out;
  void* values[64];  // of thread-specific keys
  struct destructor* destructors;
  u64 reads_in_a_row;
};

enum model { kSc, kTso, kPso };

extern struct thread weir_threads[kMostThreads];
extern int weir_thread_count;
extern enum model weir_model;
extern int weir_guided;   // a schedule is followed
extern int weir_chance;   // random runs: what may fail without a reason sometimes does
extern int weir_active;   // false before and after the program
extern int weir_exiting;  // one thread has called exit: it alone goes on
extern int weir_exits_for_main;  // main had ended, and the last thread exits in its place
extern _Thread_local struct thread* weir_self;

// scheduler.c
void weir_point(struct event event);
void weir_call_point(const char* name, uintptr_t pc, uintptr_t frame, ready_fn* ready, void* object);
void weir_drain(struct thread* thread);
void weir_hide(struct thread* thread);
void weir_show(struct thread* thread);
int weir_can_leave(const struct thread* thread, int index);
void weir_commit(struct thread* thread, int index);
void weir_push_store(struct thread* thread, uintptr_t address, u32 size, const void* bytes, int after_all);
void weir_drop_stores(struct thread* thread, uintptr_t low, uintptr_t high);
int weir_is_ready(struct thread* thread);
void weir_start_thread(struct thread* thread, uintptr_t pc);
void weir_end_thread(void) __attribute__((noreturn));

// Who goes next; null: nobody can. Called while all buffers are hidden. guide.c and random.c.
struct thread* weir_guide_next(struct thread* current);
struct thread* weir_random_next(struct thread* current);
int weir_guide_load(const char* path);
int weir_guide_expected(struct thread* thread, const uintptr_t* functions, int count);  // which one is called next?
int weir_guide_same_place(uintptr_t a, uintptr_t b);  // are two calls at one place of the source?
int weir_fails_at(uintptr_t pc, uintptr_t frame);  // without a reason, where that is allowed
int64_t weir_choose(const char* name, uintptr_t pc, uintptr_t frame, int64_t low, int64_t high);

long weir_raw_syscall(long number, long a, long b, long c, long d, long e, long f);  // -errno if it fails

// synchronisation.c: sleeping until somebody wakes those who sleep there
int weir_sleep(void* word, int may_time_out, uintptr_t pc, uintptr_t frame);  // false if time was over
long weir_wake(void* word, u32 most);

// clocks.c
int weir_is_bad_time(const struct timespec* time);
struct timespec weir_time_after(clockid_t clock, const struct timespec* span);
int weir_time_has_come(clockid_t clock, const struct timespec* deadline);  // ETIMEDOUT

// report.c
void weir_violation(const char* kind, uintptr_t pc, const char* format, ...) __attribute__((noreturn));
void weir_leave(int code) __attribute__((noreturn));  // the process, without a word
void weir_finish(const char* word, const char* format, ...) __attribute__((noreturn));

// heap.c
void weir_check_access(uintptr_t address, u64 size, int writes, uintptr_t pc);
void weir_check_atomic_access(uintptr_t address, u64 size, int writes, uintptr_t pc);
void weir_check_unlocked(uintptr_t begin, u64 size, uintptr_t pc);
void weir_check_flush(struct thread* thread, const struct store* store);  // before it goes to memory
int weir_heap_free(struct thread* by, uintptr_t address, uintptr_t pc);  // marks it; reports a wrong one
int weir_in_arena(uintptr_t address);  // the heap, and variables on the stack
struct block* weir_block_at(uintptr_t address);  // the last that begins there or before; null if none does
void* weir_heap_allocate(u64 size, u64 alignment, int zeroed, uintptr_t pc);
u64 weir_heap_size(uintptr_t address);
int weir_user_leaks(void);

// races.c
extern int weir_looks_for_races;
void weir_race_start(struct thread* child);
void weir_race_join(const struct thread* ended);
void weir_race_acquire(const void* object);
void weir_race_release(const void* object);
void weir_race_load(const void* address, int order);
void weir_race_store(const void* address, int order, int continues);
void weir_race_fence(int order);
void weir_race_access(uintptr_t address, u32 size, int writes, int atomic, uintptr_t pc);
int weir_race_may_follow(const struct thread* thread);  // would what it is about to access make a race?

// stack.c
void weir_stack_end_all(struct thread* thread);

#define REAL(name) ((__typeof__(&name))weir_real(#name))
void* weir_real(const char* name);
