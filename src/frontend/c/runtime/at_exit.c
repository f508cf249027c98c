// What is called when the program ends: atexit and the destructors of static C++ objects.
//
// Returning from main calls these while the other threads run on, and so does `exit`; then the program ends. If main
// has left by pthread_exit, they are called when the last thread has ended. Whether there are any is looked up in
// memory only by `exit`: a main that registers nothing knows it by itself.
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

// Relaxed: that somebody registers a function while the program ends is not the runtime's race.
#define get(cell) __atomic_load_n(&(cell), __ATOMIC_RELAXED)
#define set(cell, value) __atomic_store_n(&(cell), (value), __ATOMIC_RELAXED)

// A handler that is called can register others, which are called next.
static void call_all_handlers(void) {
  int count;
  while ((count = get(handler_count)) > 0) {
    set(handler_count, count - 1);
    struct handler* last = &handlers[count - 1];
    void (*plain)(void) = get(last->plain);
    if (plain) {
      plain();
    } else {
      void (*with_object)(void*) = get(last->with_object);
      with_object(get(last->object));
    }
  }
}

static int add_handler(void (*plain)(void), void (*with_object)(void*), void* object) {
  if (__weir_self() != 0)
    __weir_give_up("a thread other than main registers a function to be called at exit");
  int count = get(handler_count);
  if (count == kMostHandlers) __weir_give_up("more than 32 functions are registered to be called at exit");
  struct handler* next = &handlers[count];
  set(handler_count, count + 1);
  set(next->plain, plain);
  set(next->with_object, with_object);
  set(next->object, object);
  set(call_handlers, call_all_handlers);
  registered_here = 1;
  return 0;
}

int atexit(void (*function)(void)) { return add_handler(function, NULL, NULL); }

int __cxa_atexit(void (*destructor)(void*), void* object, void* library) {
  (void)library;
  return add_handler(NULL, destructor, object);
}

void __weir_main_returned(void) {
  if (registered_here) get(call_handlers)();
}

void __weir_main_left(void) {
  if (!registered_here) return;
  __weir_await_others();
  get(call_handlers)();
}

void exit(int status) {
  (void)status;
  void (*call)(void) = get(call_handlers);
  if (call) call();
  __weir_end_program();
}
