// What the runtime is written in, besides C: the primitives that the lowering knows by name.
#pragma once

#define WEIR_NORETURN __attribute__((noreturn))

// One step, executed only if it can run to its end. `what` is a string constant that says in a report what
// the block does ("locks a mutex").
void __weir_atomic_begin(const char* what);
void __weir_atomic_end(void);
// In an atomic block: this way through the block exists only if `condition` holds. Elsewhere: the thread
// waits for ever if it does not.
void __weir_wait_until(int condition);
// Loads that are executable only when the value is not `unwanted`.
int __weir_await_int(const int* address, int unwanted);

// A violation of kind assertion, with that message (a string constant).
void __weir_fail(const char* message) WEIR_NORETURN;
// Ends the whole execution, of all threads; no violation.
void __weir_halt(void) WEIR_NORETURN;
// Ends it because what follows is left out, for that reason (a string constant): no answer "safe" then.
void __weir_give_up(const char* reason) WEIR_NORETURN;

// The variables of the functions that the thread is in end.
void __weir_end_variables(void);
void __weir_end_thread_variables(void);  // its thread-local ones
// Any answer: does a thread that is about to wait for a condition variable wake up without a signal?
int __weir_wakes_early(void);
// Any answer, where it can be asked a few times only (chance_failures.hpp). Otherwise 0, and `assumption` (a string
// constant) is what that takes for granted.
int __weir_fails_by_chance(const char* assumption);
int __weir_allocation_fails(void);  // any answer, if wanted
// The calling thread stops, as if its outermost function returned.
void __weir_thread_stop(void) WEIR_NORETURN;

int __weir_self(void);                      // number of the thread, main is 0
int __weir_thread_limit(void);              // how many threads there are, dormant ones included
int __weir_process_ends(void);              // does it, when main returns? A constant
int __weir_checks_races(void);              // are data races looked for? A constant
int __weir_choose(int low, int high);       // constants
void* __weir_allocate(unsigned long size);  // uninitialised, aligned to 16 bytes
// C++: released by the function of the same kind only.
void* __weir_allocate_object(unsigned long size);
void* __weir_allocate_array(unsigned long size);
void __weir_free_object(void* object);
void __weir_free_array(void* array);
void* __weir_allocate_aligned(unsigned long size);  // the same, aligned to 4096 bytes
void* __weir_allocate_zeroed(unsigned long size);
void __weir_free(void* block);                       // fails if it cannot be released
int __weir_can_end(const void* address);  // is it in a block, or on the stack?
unsigned long __weir_block_size(const void* block);  // of the block that the address points into
// Copies the first cells of one block into another, as they are: values of any width, uninitialised ones too.
void __weir_copy_block(void* to, const void* from, unsigned long bytes);
void __weir_full_fence(void);

// Where this call can be reached, the program leaves out something: the phrase (a string constant) goes into
// `Program::restrictions`. It does nothing when it is executed.
void __weir_restriction(const char* phrase);
// The same for what is taken for granted: it goes into `Program::assumptions`.
void __weir_assumption(const char* phrase);

// Exceptions and the end of a thread by pthread_exit (frontend/c/unwinding/unwinding.hpp). A function that is left by unwinding
// goes on in its caller at the landing pad.
void __weir_unwind(void) WEIR_NORETURN;
// Returns if there may be a handler for exceptions of this type among the functions that the thread is in. If not, that
// is a violation.
void __weir_search(const void* type);
int __weir_unwinds(void);                    // has the program landing pads that can be reached? A constant
int __weir_new_fails(void);                  // any answer, if wanted
const char* __weir_lasting_text(const char* text);  // the same, if it is a constant; otherwise null
// Violations: an exception of that type has no handler, or leaves a function that is noexcept.
void __weir_uncaught(const void* type) WEIR_NORETURN;
void __weir_not_allowed(const void* type) WEIR_NORETURN;

// Every thread but main runs `__weir_thread_main`, main runs `__weir_program_main`. The lowering provides the
// table, with `__weir_thread_limit()` elements, all zero.
struct __weir_thread {
  void* (*start)(void*);
  void* argument;
  void* result;
  int state;  // see threads.c
  int flags;
};
extern struct __weir_thread __weir_threads[];
