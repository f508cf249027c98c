// What C++ headers leave to libstdc++ and libc++abi: operators new and delete, std::thread,
// std::condition_variable, std::call_once, and static locals. The names are mangled as the Itanium ABI says, the
// layouts are those of libstdc++. Exceptions have files of their own.
#include "cplusplus.h"

#include <pthread.h>
#include <stdint.h>

#include "internal.h"

// operator new, new[], delete, delete[]: plain, with size, with alignment, nothrow.

static int no_memory(size_t size) { return size > PTRDIFF_MAX || __weir_new_fails(); }

void* new_object(size_t size) NAMED("_Znw" SIZE);
void* new_object(size_t size) {
  if (no_memory(size)) throw_bad_alloc();
  return __weir_allocate_object(size);
}
void* new_array(size_t size) NAMED("_Zna" SIZE);
void* new_array(size_t size) {
  if (no_memory(size)) throw_bad_alloc();
  return __weir_allocate_array(size);
}
void* new_aligned(size_t size, size_t alignment) NAMED("_Znw" SIZE "St11align_val_t");
void* new_aligned(size_t size, size_t alignment) {
  if (no_memory(size)) throw_bad_alloc();
  return allocate_aligned(alignment, size);
}
void* new_aligned_array(size_t size, size_t alignment) NAMED("_Zna" SIZE "St11align_val_t");
void* new_aligned_array(size_t size, size_t alignment) { return new_aligned(size, alignment); }
void* new_or_null(size_t size, const void* tag) NAMED("_Znw" SIZE "RKSt9nothrow_t");
void* new_or_null(size_t size, const void* tag) {
  return (void)tag, no_memory(size) ? NULL : __weir_allocate_object(size);
}
void* new_array_or_null(size_t size, const void* tag) NAMED("_Zna" SIZE "RKSt9nothrow_t");
void* new_array_or_null(size_t size, const void* tag) {
  return (void)tag, no_memory(size) ? NULL : __weir_allocate_array(size);
}

void delete_object(void* object) NAMED("_ZdlPv");
void delete_object(void* object) {
  check_block_unlocked(object);
  __weir_free_object(object);
}
void delete_array(void* array) NAMED("_ZdaPv");
void delete_array(void* array) {
  check_block_unlocked(array);
  __weir_free_array(array);
}
void delete_sized(void* object, size_t size) NAMED("_ZdlPv" SIZE);
void delete_sized(void* object, size_t size) { (void)size, delete_object(object); }
void delete_sized_array(void* array, size_t size) NAMED("_ZdaPv" SIZE);
void delete_sized_array(void* array, size_t size) { (void)size, delete_array(array); }
void delete_aligned(void* object, size_t alignment) NAMED("_ZdlPvSt11align_val_t");
void delete_aligned(void* object, size_t alignment) { (void)alignment, __weir_free(object); }
void delete_aligned_sized(void* object, size_t size, size_t alignment) NAMED("_ZdlPv" SIZE "St11align_val_t");
void delete_aligned_sized(void* object, size_t size, size_t alignment) {
  (void)size, (void)alignment, __weir_free(object);
}
void delete_aligned_array(void* array, size_t alignment) NAMED("_ZdaPvSt11align_val_t");
void delete_aligned_array(void* array, size_t alignment) { (void)alignment, __weir_free(array); }

// std::thread. What it runs is an object of a class derived from std::thread::_State.

struct thread_state {
  void (**functions)(void*);  // two destructors (the second also deletes), then the function to run
};

enum { kDeletingDestructor = 1, kRun = 2 };

static void delete_state(struct thread_state** state) { (*state)->functions[kDeletingDestructor](*state); }

static void* run_state(void* argument) {
  struct thread_state* state __attribute__((cleanup(delete_state))) = argument;
  state->functions[kRun](state);
  return NULL;
}

void start_thread(thread_id* thread, struct thread_state** state, void (*depends)(void))
    NAMED("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void start_thread(thread_id* thread, struct thread_state** state, void (*depends)(void)) {
  (void)depends;
  struct thread_state* given = *state;
  *state = NULL;  // the unique_ptr gives it away
  __weir_spawn(run_state, given, NULL, 0, thread);
}

void join_thread(thread_id* thread) NAMED("_ZNSt6thread4joinEv");
void join_thread(thread_id* thread) {
  if (*thread == 0) throw_system_error(EINVAL);
  __weir_join(*thread);
  *thread = 0;
}

void detach_thread(thread_id* thread) NAMED("_ZNSt6thread6detachEv");
void detach_thread(thread_id* thread) {
  if (*thread == 0) throw_system_error(EINVAL);
  __weir_detach(*thread);
  *thread = 0;
}

unsigned hardware_threads(void) NAMED("_ZNSt6thread20hardware_concurrencyEv");
unsigned hardware_threads(void) {
  __weir_restriction("std::thread::hardware_concurrency() gives 4");
  return 4;
}

// The base class of these objects, which is never used as such.

void __cxa_pure_virtual(void) { __weir_fail("calls a pure virtual function"); }

void destroy_state(void* state) NAMED("_ZNSt6thread6_StateD2Ev");
void destroy_state(void* state) { (void)state; }

const struct type_info state_type_info NAMED("_ZTINSt6thread6_StateE") = {&class_type_info[2], "NSt6thread6_StateE"};
const void* const state_functions[5] NAMED("_ZTVNSt6thread6_StateE") = {0, &state_type_info, destroy_state,
                                                                        destroy_state, __cxa_pure_virtual};

// std::condition_variable, over std::unique_lock<std::mutex>, which starts with a pointer to the mutex.

struct unique_lock {
  pthread_mutex_t* mutex;
  _Bool owns;
};

void make_condition(pthread_cond_t* condition) NAMED("_ZNSt18condition_variableC1Ev");
void make_condition(pthread_cond_t* condition) { pthread_cond_init(condition, NULL); }
void unmake_condition(pthread_cond_t* condition) NAMED("_ZNSt18condition_variableD1Ev");
void unmake_condition(pthread_cond_t* condition) { pthread_cond_destroy(condition); }
void notify_one(pthread_cond_t* condition) NAMED("_ZNSt18condition_variable10notify_oneEv");
void notify_one(pthread_cond_t* condition) { pthread_cond_signal(condition); }
void notify_all(pthread_cond_t* condition) NAMED("_ZNSt18condition_variable10notify_allEv");
void notify_all(pthread_cond_t* condition) { pthread_cond_broadcast(condition); }
void wait_for_condition(pthread_cond_t* condition, struct unique_lock* lock)
    NAMED("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void wait_for_condition(pthread_cond_t* condition, struct unique_lock* lock) {
  pthread_cond_wait(condition, lock->mutex);
}

// std::call_once leaves what to call in two thread-local variables, and has pthread_once call __once_proxy.

_Thread_local void* once_callable NAMED("_ZSt15__once_callable");
_Thread_local void (*once_call)(void) NAMED("_ZSt11__once_call");
void __once_proxy(void) { once_call(); }

// Static locals. The compiler looks at the first byte of the guard by itself; the second says that the
// initialisation is under way. Both are locked instructions in libstdc++.

int __cxa_guard_acquire(char* guard) {
  __weir_atomic_begin("looks who initialises a static variable");
  int done = guard[0];
  __weir_wait_until(done || !guard[1]);
  if (!done) guard[1] = 1;
  __weir_atomic_end();
  return !done;
}

void __cxa_guard_release(char* guard) {
  __weir_atomic_begin("has initialised a static variable");
  guard[0] = 1;
  guard[1] = 0;
  __weir_atomic_end();
}

void __cxa_guard_abort(char* guard) {
  __weir_atomic_begin("has not initialised a static variable");
  guard[1] = 0;
  __weir_atomic_end();
}

char __dso_handle;
char __libc_single_threaded;  // no
const char nothrow NAMED("_ZSt7nothrow");
