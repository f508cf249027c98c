// One thread at a time. Each thread waits on a futex of its own; the thread that reaches a point decides who
// goes on, wakes it, and sleeps.
//
// Store buffers: memory always shows what the running thread sees, its own buffered stores included. At a
// point they are taken away again (`weir_hide`), so that between two runs memory holds what all threads see.
// The instrumentation announces a plain store before it happens and without its value; so the old bytes are
// kept, and at the thread's next point the new ones are found in memory.
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "native.h"

struct thread weir_threads[kMostThreads];
int weir_thread_count;
enum model weir_model;
int weir_active, weir_exiting, weir_exits_for_main;
_Thread_local struct thread* weir_self;

long weir_raw_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

void weir_leave(int code) {
  for (;;) weir_raw_syscall(SYS_exit_group, code, 0, 0, 0, 0, 0);
}

static void sleep_until_called(struct thread* thread) {
  while (!__atomic_load_n(&thread->go, __ATOMIC_ACQUIRE))
    weir_raw_syscall(SYS_futex, (long)&thread->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  __atomic_store_n(&thread->go, 0, __ATOMIC_RELAXED);
}

static void call(struct thread* thread) {
  __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
  weir_raw_syscall(SYS_futex, (long)&thread->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void* weir_real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) weir_finish("unavailable", "the C library has no %s", name);
  return found;
}

// --- Store buffers

static int overlap(const struct store* a, const struct store* b) {
  return a->address < b->address + b->size && b->address < a->address + a->size;
}

int weir_can_leave(const struct thread* thread, int index) {
  if (index == 0) return 1;
  if (weir_model != kPso) return 0;
  const struct store* store = &thread->stores[index];
  if (store->after_all) return 0;
  for (int i = 0; i < index; i++)
    if (overlap(&thread->stores[i], store) || thread->stores[i].fences < store->fences) return 0;
  return 1;
}

static void remove_store(struct thread* thread, int index) {
  thread->store_count--;
  memmove(&thread->stores[index], &thread->stores[index + 1],
          sizeof(struct store) * (size_t)(thread->store_count - index));
}

// The thread's stores are hidden.
void weir_commit(struct thread* thread, int index) {
  struct store* store = &thread->stores[index];
  if (store->is_free) {
    weir_heap_free(thread, store->address, 0);
  } else {
    weir_check_flush(thread, store);
    memcpy((void*)store->address, store->bytes, store->size);
  }
  remove_store(thread, index);
}

void weir_show(struct thread* thread) {
  if (thread->shown) return;
  thread->shown = 1;
  for (int i = 0; i < thread->store_count; i++) {
    struct store* store = &thread->stores[i];
    if (store->is_free) continue;
    memcpy(store->under, (void*)store->address, store->size);
    memcpy((void*)store->address, store->bytes, store->size);
  }
}

// Memory is what the thread sees, and becomes what all see.
static void commit_as_shown(struct thread* thread) {
  for (int i = 0; i < thread->store_count; i++) {
    if (thread->stores[i].is_free) weir_heap_free(thread, thread->stores[i].address, 0);
    else weir_check_flush(thread, &thread->stores[i]);
  }
  thread->store_count = 0;
}

static int is_as_shown(const struct store* store) {
  for (u32 i = 0; i < store->size; i++)
    if (((const u8*)store->address)[i] != store->bytes[i]) return 0;
  return 1;
}

// The C library, and code that is not instrumented because only its function sees a variable, write memory
// without a word. If that hits a buffered store, the buffer is drained: to put back what was under the store
// would undo the later write.
void weir_hide(struct thread* thread) {
  if (!thread->shown) return;
  thread->shown = 0;
  for (int i = thread->store_count - 1; i >= 0; i--) {
    struct store* store = &thread->stores[i];
    if (store->is_free) continue;
    if (!is_as_shown(store)) {
      for (int newer = i + 1; newer < thread->store_count; newer++)
        if (!thread->stores[newer].is_free)
          memcpy((void*)thread->stores[newer].address, thread->stores[newer].bytes, thread->stores[newer].size);
      return commit_as_shown(thread);
    }
    memcpy((void*)store->address, store->under, store->size);
  }
}

static void settle(struct thread* thread);

void weir_drain(struct thread* thread) {
  settle(thread);
  const int shown = thread->shown;
  weir_hide(thread);
  while (thread->store_count > 0) weir_commit(thread, 0);
  if (shown) weir_show(thread);
}

static struct store* new_store(struct thread* thread) {
  if (!thread->stores) {
    thread->stores = mmap(NULL, sizeof(struct store) * kMostStores, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (thread->store_count == kMostStores) weir_drain(thread);
  struct store* store = &thread->stores[thread->store_count++];
  memset(store, 0, sizeof *store);
  store->fences = thread->fences;
  store->number = thread->store_number++;
  store->key = thread->key;
  store->pc = thread->event.pc;
  return store;
}

// The thread runs and its stores are shown.
void weir_push_store(struct thread* thread, uintptr_t address, u32 size, const void* bytes, int after_all) {
  struct store* store = new_store(thread);
  store->address = address;
  store->size = size;
  store->after_all = after_all;
  if (!bytes) {
    store->is_free = 1;
    store->size = 1;
    return;
  }
  memcpy(store->bytes, bytes, size);
  memcpy(store->under, (void*)address, size);
  memcpy((void*)address, bytes, size);
}

// The announced store has happened: its bytes are in memory, and become an entry of the buffer.
static void settle(struct thread* thread) {
  if (!thread->has_announced) return;
  thread->has_announced = 0;
  struct store announced = thread->announced;
  struct store* store = new_store(thread);
  store->address = announced.address;
  store->size = announced.size;
  store->key = announced.key;
  store->pc = announced.pc;
  memcpy(store->bytes, (void*)announced.address, announced.size);
  memcpy(store->under, announced.under, announced.size);
}

// Stores to memory of a function that returns will never be seen by anybody who may look.
void weir_drop_stores(struct thread* thread, uintptr_t low, uintptr_t high) {
  settle(thread);
  if (thread->store_count == 0) return;
  weir_hide(thread);
  for (int i = thread->store_count - 1; i >= 0; i--) {
    const struct store* store = &thread->stores[i];
    if (!store->is_free && store->address >= low && store->address < high) {
      memcpy((void*)store->address, store->bytes, store->size);
      remove_store(thread, i);
    }
  }
  weir_show(thread);
}

// --- Points

int weir_is_ready(struct thread* thread) {
  if (!thread->exists || thread->ended) return 0;
  if (weir_exiting && thread != &weir_threads[weir_exiting - 1]) return 0;
  return !thread->event.ready || thread->event.ready(thread);
}

static struct thread* next_thread(struct thread* current) {
  return weir_guided ? weir_guide_next(current) : weir_random_next(current);
}

static void announce(struct thread* self, const struct event* event) {
  self->announced.address = event->address;
  self->announced.size = event->size;
  self->announced.key = self->key;
  self->announced.pc = event->pc;
  memcpy(self->announced.under, (void*)event->address, event->size);
  self->has_announced = 1;
}

void weir_point(struct event event) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return;
  self->entered++;
  self->left_at = 0;
  settle(self);
  weir_hide(self);
  self->event = event;
  struct thread* next = self->atomic && weir_is_ready(self) ? self : next_thread(self);
  if (next != self) {
    call(next);
    sleep_until_called(self);
  }
  weir_show(self);
  self->event.kind = kNothing;
  self->entered--;
}

// A plain access; the store, if it is one, follows at once.
static void access_point(enum event_kind kind, uintptr_t address, u32 size, uintptr_t pc, uintptr_t frame) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return;
  self->frame = frame;
  weir_point((struct event){.kind = kind, .pc = pc, .address = address, .size = size});
  weir_check_access(address, size, kind == kWrite, pc);
  if (kind == kWrite && self->buffer_it) announce(self, &(struct event){.address = address, .size = size});
}

void weir_call_point(const char* name, uintptr_t pc, uintptr_t frame, ready_fn* ready, void* object) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return;
  self->frame = frame;
  weir_point((struct event){.kind = kCall, .name = name, .pc = pc, .ready = ready, .object = object});
}

// --- Threads

static void* run_thread(void* argument) {
  struct thread* self = argument;
  weir_self = self;
  self->stack_high = (uintptr_t)__builtin_frame_address(0);
  self->frame = self->stack_high;
  sleep_until_called(self);
  weir_show(self);
  self->event.kind = kNothing;
  if (self->start_c11)
    self->result = (void*)(intptr_t)self->start_c11(self->argument);
  else
    self->result = self->start(self->argument);
  weir_end_thread();
}

void weir_start_thread(struct thread* thread, uintptr_t pc) {
  enum { kStack = 1 << 20 };
  thread->exists = 1;
  thread->event = (struct event){.kind = kStart, .pc = pc};
  char* stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  thread->stack_low = (uintptr_t)stack;
  thread->stack_high = thread->frame = thread->top = (uintptr_t)stack + kStack;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  weir_self->entered++;
  const int error = REAL(pthread_create)(&thread->real, &attributes, run_thread, thread);
  weir_self->entered--;
  pthread_attr_destroy(&attributes);
  if (error) weir_finish("unavailable", "a thread cannot be made");
}

void weir_run_destructors(struct thread* self);

static int no_others(struct thread* thread) {
  for (int i = 0; i < weir_thread_count; i++)
    if (&weir_threads[i] != thread && weir_threads[i].exists && !weir_threads[i].ended) return 0;
  return 1;
}

// The last thread has ended, main among them: the process exits, as if that thread called exit.
static void exit_for_main(void) {
  weir_exits_for_main = weir_self->number != 0;
  weir_exiting = weir_self->number + 1;
  REAL(exit)(0);
}

// The real thread stays, asleep, so that its stack and its thread-local variables are never used again.
void weir_end_thread(void) {
  struct thread* self = weir_self;
  weir_run_destructors(self);
  weir_point((struct event){.kind = kEnd});
  weir_drain(self);
  if (no_others(self)) exit_for_main();
  self->ended = 1;
  weir_stack_end_all(self);
  self->entered++;
  weir_hide(self);
  call(next_thread(self));
  for (;;) sleep_until_called(self);
}
