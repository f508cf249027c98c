// What is called when the program ends: atexit and the destructors of static C++ objects.
//
// Returning from main calls these while the other threads run on, and so does `exit`; then the program ends. If main
// has left by pthread_exit, they are called when the last thread has ended. Whether there are any is looked up in
// memory only by `exit`: a main that registers nothing knows it by itself. Destructors of objects that a thread has for
// itself are called when it ends, before those.
#include <stdlib.h>

#include "internal.h"

enum { kMostHandlers = 32 };

struct handler {
  void (*plain)(void);
  void (*with_object)(void*);
  void* object;
};

static struct handler handlers[kMostHandlers];
static int handler_count;
static void (*call_handlers)(void);  // null as long as there are none
static _Thread_local int registered_here;

static int take_last(struct handler* taken) {
  __weir_atomic_begin("takes a function to be called at exit");
  int found = handler_count > 0;
  if (found) *taken = handlers[--handler_count];
  __weir_atomic_end();
  return found;
}

// A handler that is called can register others, which are called next.
static void call_all_handlers(void) {
  struct handler last;
  while (take_last(&last)) {
    if (last.plain) {
      last.plain();
    } else {
      last.with_object(last.object);
    }
  }
}

static int add_handler(void (*plain)(void), void (*with_object)(void*), void* object) {
  if (__weir_self() != 0)
    __weir_give_up("a thread other than main registers a function to be called at exit");
  __weir_atomic_begin("registers a function to be called at exit");
  if (handler_count == kMostHandlers)
    __weir_give_up("more than 32 functions are registered to be called at exit");
  struct handler* next = &handlers[handler_count++];
  next->plain = plain;
  next->with_object = with_object;
  next->object = object;
  call_handlers = call_all_handlers;
  __weir_atomic_end();
  registered_here = 1;
  return 0;
}

int atexit(void (*function)(void)) { return add_handler(function, NULL, NULL); }

void end_streams(void* streams) __asm__("_ZNSt8ios_base4InitD1Ev");  // streams.cpp: does nothing

int __cxa_atexit(void (*destructor)(void*), void* object, void* library) {
  (void)library;
  if (destructor == end_streams) return 0;  // #include <iostream> should cost nothing
  return add_handler(NULL, destructor, object);
}

enum { kMostThreadLocals = 16 };

struct thread_local_object {
  void (*destructor)(void*);
  void* object;
};

static _Thread_local struct thread_local_object thread_locals[kMostThreadLocals];
static _Thread_local int thread_local_count;

_Thread_local void (*__weir_destroy_thread_locals)(void);

static void destroy_thread_locals(void) {
  while (thread_local_count > 0) {
    struct thread_local_object last = thread_locals[--thread_local_count];
    last.destructor(last.object);
  }
}

int __cxa_thread_atexit(void (*destructor)(void*), void* object, void* library) {
  (void)library;
  if (thread_local_count == kMostThreadLocals)
    __weir_give_up("a thread has more than 16 thread-local objects with destructors");
  thread_locals[thread_local_count].destructor = destructor;
  thread_locals[thread_local_count++].object = object;
  __weir_destroy_thread_locals = destroy_thread_locals;
  return 0;
}

void __weir_main_returned(void) {
  if (__weir_destroy_thread_locals) __weir_destroy_thread_locals();
  if (registered_here) call_handlers();
}

void __weir_main_left(void) {
  if (!registered_here) return;
  __weir_await_others();
  call_handlers();
}

void exit(int status) {
  (void)status;
  if (__weir_destroy_thread_locals) __weir_destroy_thread_locals();
  void (*handlers_there_are)(void) = __atomic_load_n(&call_handlers, __ATOMIC_ACQUIRE);
  if (handlers_there_are) handlers_there_are();
  __weir_end_program();
}
