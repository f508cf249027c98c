// What the files of the runtime share with each other, and with nobody else.
//
// Everything here is compiled to LLVM and explored with the user's program, so every cell counts: what only
// concerns one thread is thread-local (a local step, not a step that others can interleave with), and an
// operation that real implementations do with a locked instruction is one atomic block, which drains the
// store buffer as that does.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "weir.h"

// threads.c. An id is the number of the thread in `__weir_threads` plus 1, so that 0 is no thread.
typedef unsigned long thread_id;
static inline thread_id self_id(void) { return (thread_id)__weir_self() + 1; }
// `note` is for `start`, which finds it in the slot as the result so far.
int __weir_spawn(void* (*start)(void*), void* argument, void* note, int detached, thread_id* id);
void* __weir_join(thread_id id);
void __weir_detach(thread_id id);
void __weir_exit_thread(void* result) WEIR_NORETURN;
// Called when the thread ends, if it is not null: runs the destructors of thread-specific values.
extern _Thread_local void (*__weir_at_thread_end)(void);
// The same for the destructors of thread-local objects, which come before these (at_exit.c).
extern _Thread_local void (*__weir_destroy_thread_locals)(void);

void __weir_await_others(void);  // until no other thread runs
void __weir_end_program(void) WEIR_NORETURN;

// exceptions.c. What leaves a thread's functions when it calls pthread_exit.
void __weir_start_forced_unwinding(void);
void __weir_end_unwinding(void);  // at the outermost function of the thread

// clocks.c: has the thread slept since it looked at a clock?
extern _Thread_local _Bool __weir_has_slept;

// at_exit.c
void __weir_main_returned(void);
void __weir_main_left(void);  // by pthread_exit: the program ends with its last thread

// held_locks.c. Locks know their holder, but a load of the lock is a step of its own. Unlocking the lock that
// was taken last needs none: the thread remembers that one by itself.
void __weir_remember_lock(const void* lock);
int __weir_forget_lock(const void* lock);  // was it the last one taken, and is it surely held?

// Memory that ends must not hold a mutex that is locked. A thread sees that of those it holds itself; who else holds one
// will use the memory when it unlocks.
void __weir_hold_mutex(const void* mutex);
void __weir_let_go_mutex(const void* mutex);
void __weir_check_unlocked(const void* memory, unsigned long size);
static inline void check_block_unlocked(const void* block) {
  if (block) __weir_check_unlocked(block, __weir_block_size(block));
}

// Sets of threads, in one cell of 64 bits.
typedef unsigned long long thread_set;
static inline thread_set only(int thread) { return 1ull << thread; }

// Waiting to be woken, in an atomic block each. That a thread sleeps is written in its slot and not where it
// waits: it does not look there again when it wakes up, since whoever woke it may have released that memory.
void __weir_fall_asleep(void);
int __weir_sleeps(void);
void __weir_wake(int thread);
void __weir_wake_all(thread_set sleepers);
int __weir_any_member(thread_set set);  // of a set that is not empty

// Blocks for those who ask for an alignment.
static inline void* allocate_aligned(size_t alignment, size_t size) {
  if (alignment > 4096) __weir_give_up("memory is aligned to more than 4096 bytes");
  return alignment > 16 ? __weir_allocate_aligned(size) : __weir_allocate(size);
}

// Words of locks, also while others write them. Relaxed would do, but then every program would seem to order its
// accesses by relaxed ones, which data races have to be looked for with.
static inline int read_int(const int* cell) { return __atomic_load_n(cell, __ATOMIC_ACQUIRE); }
static inline long read_long(const long* cell) { return __atomic_load_n(cell, __ATOMIC_ACQUIRE); }

static inline int valid_time(const struct timespec* time) {
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}
