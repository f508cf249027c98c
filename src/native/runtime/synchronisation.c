// Threads, mutexes and the like. What an object is in is kept in a table by its address; only the kind of a
// mutex, spin locks and once controls, which are plain numbers, are kept in the object itself.
#include "native.h"

struct object {
  uintptr_t address;
  int owner;  // number of a thread + 1; of a read-write lock: who writes
  u32 count;  // how often it is held; semaphores: the value; barriers: who has arrived
  u32 size;   // barriers
  u32 generation;
  int initialised, destroyed, recursive, tokens, is_mutex;
  int waiting_writers;  // of a read-write lock that prefers them
  u32 readers[kMostThreads];
};

enum { kMostObjects = 4096 };
static struct object objects[kMostObjects];
static int object_count;

static struct object* object_at(const void* address) {
  for (int i = 0; i < object_count; i++)
    if (objects[i].address == (uintptr_t)address) return &objects[i];
  if (object_count == kMostObjects) weir_finish("unavailable", "too many locks");
  struct object* object = &objects[object_count++];
  memset(object, 0, sizeof *object);
  object->address = (uintptr_t)address;
  return object;
}

static struct object* fresh_object(const void* address, u32 size, uintptr_t pc) {
  weir_check_access((uintptr_t)address, size, 1, pc);
  struct object* object = object_at(address);
  memset(object, 0, sizeof *object);
  object->address = (uintptr_t)address;
  object->initialised = 1;
  return object;
}

// Does memory hold what it is filled with when it is allocated?
static int is_unwritten(const u8* bytes, u32 size) {
  for (u32 i = 0; i < size; i++)
    if (bytes[i] != kUnwritten) return 0;
  return weir_in_arena((uintptr_t)bytes);
}

static struct object* used_object(const void* address, const char* what, uintptr_t pc) {
  weir_check_atomic_access((uintptr_t)address, 4, 1, pc);
  struct object* object = object_at(address);
  if (!object->initialised && is_unwritten(address, 16))
    weir_violation("uninitialised", pc, "uses a %s that is not initialised", what);
  object->initialised = 1;
  if (object->destroyed) weir_violation("misuse", pc, "uses a %s that was destroyed", what);
  return object;
}

static int me(void) { return weir_self ? weir_self->number + 1 : 1; }

#define POINT(name, ready, object) weir_call_point(name, CALLER, FRAME, ready, (void*)(object))
#define DRAIN() do { if (weir_self) weir_drain(weir_self); } while (0)

// --- Mutexes

enum { kNormal = 0, kRecursive = 1, kErrorCheck = 2 };

static int kind_of(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind & 3;
  return kind == 3 ? kNormal : kind;
}

static int mutex_ready(struct thread* thread) {
  const struct object* mutex = object_at(thread->event.object);
  return !mutex->owner || (mutex->owner == thread->number + 1 &&
                           kind_of(thread->event.object) != kNormal);
}

// Is it about to lock a mutex that it holds? That is a matter of the thread alone.
int weir_relocks(struct thread* thread) {
  return thread->event.ready == mutex_ready && object_at(thread->event.object)->owner == thread->number + 1;
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  int kind = 0;
  fresh_object(mutex, sizeof *mutex, CALLER);
  if (attributes) pthread_mutexattr_gettype(attributes, &kind);
  memset(mutex, 0, sizeof *mutex);
  mutex->__data.__kind = kind;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  POINT("mutex_destroy", NULL, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  if (object->owner) weir_violation("misuse", CALLER, "destroys a locked mutex");
  object->destroyed = 1;
  return 0;
}

static int take(struct object* mutex, int kind) {
  if (mutex->owner == me() && kind == kErrorCheck) return EDEADLK;
  if (mutex->owner != me()) DRAIN();
  weir_race_acquire(mutex);
  mutex->owner = me();
  mutex->is_mutex = 1;
  mutex->count++;
  return 0;
}

// Memory that ends must not hold a mutex that the thread has locked.
void weir_check_unlocked(uintptr_t begin, u64 size, uintptr_t pc) {
  if (!weir_active || !weir_self) return;
  for (int i = 0; i < object_count; i++)
    if (objects[i].is_mutex && objects[i].owner == me() && objects[i].address - begin < size)
      weir_violation("misuse", pc, "the memory of a locked mutex ends");
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  POINT("mutex_lock", mutex_ready, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  return take(object, kind_of(mutex));
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  POINT("mutex_trylock", NULL, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  if (object->owner && !(object->owner == me() && kind_of(mutex) == kRecursive)) {
    DRAIN();  // a locked instruction, also when it fails
    return EBUSY;
  }
  return take(object, kind_of(mutex));
}

static int lock_until(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline, uintptr_t pc, uintptr_t frame) {
  weir_call_point("mutex_timedlock", pc, frame, NULL, mutex);
  struct object* object = used_object(mutex, "mutex", pc);
  DRAIN();
  if (!object->owner || (object->owner == me() && kind_of(mutex) != kNormal)) return take(object, kind_of(mutex));
  return weir_is_bad_time(deadline) ? EINVAL : weir_time_has_come(clock, deadline);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* deadline) {
  return lock_until(mutex, CLOCK_REALTIME, deadline, CALLER, FRAME);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline) {
  return lock_until(mutex, clock, deadline, CALLER, FRAME);
}

static int give(struct object* mutex, int kind, uintptr_t pc) {
  if (mutex->owner != me()) {
    if (kind != kNormal) return EPERM;
    weir_violation("misuse", pc, "unlocks a mutex that it does not hold");
  }
  if (--mutex->count > 0) return 0;
  DRAIN();
  weir_race_release(mutex);
  mutex->owner = 0;
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  POINT("mutex_unlock", NULL, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  return give(object, kind_of(mutex), CALLER);
}

// --- C11 mutexes: the same states, another kind of result

static int c11_ready(struct thread* thread) {
  const struct object* mutex = object_at(thread->event.object);
  return !mutex->owner || (mutex->owner == thread->number + 1 && mutex->recursive);
}

int mtx_init(mtx_t* mutex, int type) {
  fresh_object(mutex, sizeof *mutex, CALLER)->recursive = (type & mtx_recursive) != 0;
  memset(mutex, 0, sizeof *mutex);
  return thrd_success;
}
void mtx_destroy(mtx_t* mutex) {
  POINT("mutex_destroy", NULL, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  if (object->owner) weir_violation("misuse", CALLER, "destroys a locked mutex");
  object->destroyed = 1;
}
int mtx_lock(mtx_t* mutex) {
  POINT("mutex_lock", c11_ready, mutex);
  DRAIN();
  return take(used_object(mutex, "mutex", CALLER), kNormal), thrd_success;
}
static int c11_try(mtx_t* mutex, int failure, uintptr_t pc) {
  struct object* object = used_object(mutex, "mutex", pc);
  DRAIN();
  if (object->owner && !(object->owner == me() && object->recursive)) return failure;
  return take(object, kNormal), thrd_success;
}
int mtx_trylock(mtx_t* mutex) {
  if (weir_fails_at(CALLER, FRAME)) return thrd_busy;
  POINT("mutex_trylock", NULL, mutex);
  return c11_try(mutex, thrd_busy, CALLER);
}
int mtx_timedlock(mtx_t* mutex, const struct timespec* deadline) {
  (void)deadline;
  POINT("mutex_timedlock", NULL, mutex);
  DRAIN();
  return c11_try(mutex, thrd_timedout, CALLER);
}
int mtx_unlock(mtx_t* mutex) {
  POINT("mutex_unlock", NULL, mutex);
  struct object* object = used_object(mutex, "mutex", CALLER);
  DRAIN();
  give(object, kNormal, CALLER);
  return thrd_success;
}

// --- Condition variables

u32 weir_random(u32 below);

static int waiting_at(const void* condition) {
  int count = 0;
  for (int i = 0; i < weir_thread_count; i++)
    count += weir_threads[i].waits_for == condition && !weir_threads[i].woken;
  return count;
}

// In a guided run the waiter that a signal wakes is the one that the schedule lets go on.
static void wake_one(void* condition) {
  const int waiting = waiting_at(condition);
  struct object* object = object_at(condition);
  if (weir_guided) {
    if (object->tokens < waiting) object->tokens++;
    return;
  }
  if (waiting == 0) return;
  u32 chosen = weir_random((u32)waiting);
  for (int i = 0; i < weir_thread_count; i++)
    if (weir_threads[i].waits_for == condition && !weir_threads[i].woken && chosen-- == 0)
      weir_threads[i].woken = 1;
}

static void wake_all(void* condition) {
  for (int i = 0; i < weir_thread_count; i++)
    if (weir_threads[i].waits_for == condition) weir_threads[i].woken = 1;
  object_at(condition)->tokens = 0;
}

static int condition_free_of_mutex(struct thread* thread) {
  return thread->woken || (weir_guided && object_at(thread->waits_for)->tokens > 0);
}

static int woken_ready(struct thread* thread) {
  return condition_free_of_mutex(thread) && !object_at(thread->event.object)->owner;
}

static int free_ready(struct thread* thread) { return !object_at(thread->event.object)->owner; }

// In a guided run a thread may wake up for no reason: the schedule says when.
int weir_may_wake(struct thread* thread) {
  if (!thread->waits_for) return 0;
  return thread->event.ready == condition_free_of_mutex || (thread->event.ready == woken_ready && free_ready(thread));
}

static void start_waiting(void* condition, struct object* mutex, int* released, uintptr_t pc) {
  if (mutex->owner != me())
    weir_violation("misuse", pc, "waits for a condition variable without holding the mutex");
  DRAIN();
  weir_race_release(mutex);
  *released = --mutex->count == 0;
  if (*released) mutex->owner = 0;
  weir_self->waits_for = condition;
  weir_self->woken = 0;
}

static int stop_waiting(void) {
  struct thread* self = weir_self;
  int woken = self->woken;
  struct object* condition = object_at(self->waits_for);
  if (!woken && condition->tokens > 0) {
    condition->tokens--;
    woken = 1;
  }
  self->waits_for = NULL;
  return woken;
}

int weir_sleep(void* word, int may_time_out, uintptr_t pc, uintptr_t frame) {
  weir_self->waits_for = word;
  weir_self->woken = 0;
  weir_call_point("woken", pc, frame, may_time_out ? NULL : condition_free_of_mutex, word);
  return stop_waiting();
}

long weir_wake(void* word, u32 most) {
  const int waiting = waiting_at(word);
  if ((u32)waiting <= most) wake_all(word);
  else for (u32 i = 0; i < most; i++) wake_one(word);
  return (u32)waiting < most ? waiting : (long)most;
}

static int wait_for(void* condition, void* lock, int timed, uintptr_t pc, uintptr_t frame) {
  int released;
  weir_call_point("cond_wait", pc, frame, NULL, lock);
  used_object(condition, "condition variable", pc);
  struct object* mutex = used_object(lock, "mutex", pc);
  start_waiting(condition, mutex, &released, pc);
  int woken = 1;
  if (timed) {
    weir_call_point("cond_woken", pc, frame, NULL, lock);
    woken = stop_waiting();
    if (weir_self->choice) woken = 1;  // for no reason
    weir_self->choice = 0;
    weir_call_point("cond_relock", pc, frame, released ? free_ready : NULL, lock);
  } else {
    weir_call_point("cond_woken_relock", pc, frame, released ? woken_ready : condition_free_of_mutex, lock);
    stop_waiting();
  }
  DRAIN();
  weir_race_acquire(mutex);
  if (released) mutex->owner = me();
  mutex->count++;
  return woken;
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  (void)attributes;
  fresh_object(condition, sizeof *condition, CALLER);
  memset(condition, 0, sizeof *condition);
  return 0;
}
int pthread_cond_destroy(pthread_cond_t* condition) {
  POINT("cond_destroy", NULL, condition);
  struct object* object = used_object(condition, "condition variable", CALLER);
  if (waiting_at(condition) > object->tokens)
    weir_violation("misuse", CALLER, "destroys a condition variable that a thread waits for");
  object->destroyed = 1;
  return 0;
}
// A mutex that checks its holder, which is another thread, or nobody.
static int is_not_held(const pthread_mutex_t* mutex) {
  return kind_of(mutex) != kNormal && object_at(mutex)->owner != me();
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (is_not_held(mutex)) return EPERM;
  wait_for(condition, mutex, 0, CALLER, FRAME);
  return 0;
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct timespec* deadline) {
  if (weir_is_bad_time(deadline)) return EINVAL;
  if (is_not_held(mutex)) return EPERM;
  return wait_for(condition, mutex, 1, CALLER, FRAME) ? 0 : weir_time_has_come(CLOCK_REALTIME, deadline);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* deadline) {
  if (weir_is_bad_time(deadline)) return EINVAL;
  if (is_not_held(mutex)) return EPERM;
  return wait_for(condition, mutex, 1, CALLER, FRAME) ? 0 : weir_time_has_come(clock, deadline);
}
int pthread_cond_signal(pthread_cond_t* condition) {
  POINT("cond_signal", NULL, condition);
  used_object(condition, "condition variable", CALLER);
  if (waiting_at(condition)) DRAIN();
  wake_one(condition);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) {
  POINT("cond_broadcast", NULL, condition);
  used_object(condition, "condition variable", CALLER);
  if (waiting_at(condition)) DRAIN();
  wake_all(condition);
  return 0;
}

int cnd_init(cnd_t* condition) {
  fresh_object(condition, sizeof *condition, CALLER);
  memset(condition, 0, sizeof *condition);
  return thrd_success;
}
void cnd_destroy(cnd_t* condition) {
  POINT("cond_destroy", NULL, condition);
  used_object(condition, "condition variable", CALLER)->destroyed = 1;
}
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  wait_for(condition, mutex, 0, CALLER, FRAME);
  return thrd_success;
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* deadline) {
  (void)deadline;
  return wait_for(condition, mutex, 1, CALLER, FRAME) ? thrd_success : thrd_timedout;
}
int cnd_signal(cnd_t* condition) {
  POINT("cond_signal", NULL, condition);
  used_object(condition, "condition variable", CALLER);
  if (waiting_at(condition)) DRAIN();
  wake_one(condition);
  return thrd_success;
}
int cnd_broadcast(cnd_t* condition) {
  POINT("cond_broadcast", NULL, condition);
  used_object(condition, "condition variable", CALLER);
  if (waiting_at(condition)) DRAIN();
  wake_all(condition);
  return thrd_success;
}

// --- Read-write locks

static int prefers_writers(const pthread_rwlock_t* lock) {
  return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}
static int may_read(const struct object* lock) { return !lock->owner && !lock->waiting_writers; }
static int read_ready(struct thread* thread) { return may_read(object_at(thread->event.object)); }
static int write_ready(struct thread* thread) {
  const struct object* lock = object_at(thread->event.object);
  return !lock->owner && !lock->count;
}
int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  fresh_object(lock, sizeof *lock, CALLER);
  if (attributes) pthread_rwlockattr_getkind_np(attributes, &kind);
  memset(lock, 0, sizeof *lock);
  lock->__data.__flags = (unsigned)kind;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  POINT("rwlock_destroy", NULL, lock);
  struct object* object = used_object(lock, "read-write lock", CALLER);
  if (object->owner || object->count) weir_violation("misuse", CALLER, "destroys a locked read-write lock");
  object->destroyed = 1;
  return 0;
}
static int read_lock(struct object* lock) {
  DRAIN();
  weir_race_acquire(lock);
  lock->count++;
  lock->readers[weir_self->number]++;
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  struct object* object = used_object(lock, "read-write lock", CALLER);
  if (object->owner == me()) return EDEADLK;
  POINT("rwlock_rdlock", read_ready, lock);
  return read_lock(object);
}
// A writer that must wait keeps readers out from then on, if the lock prefers writers.
static void wait_to_write(struct object* lock, pthread_rwlock_t* address, uintptr_t pc, uintptr_t frame) {
  weir_call_point("rwlock_wrlock", pc, frame, NULL, address);
  if (!lock->owner && !lock->count) return;
  lock->waiting_writers++;
  weir_call_point("rwlock_wrlock_wait", pc, frame, write_ready, address);
  lock->waiting_writers--;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  struct object* object = used_object(lock, "read-write lock", CALLER);
  if (object->owner == me()) return EDEADLK;
  if (prefers_writers(lock)) wait_to_write(object, lock, CALLER, FRAME);
  else POINT("rwlock_wrlock", write_ready, lock);
  used_object(lock, "read-write lock", CALLER);
  DRAIN();
  weir_race_acquire(object);
  object->owner = me();
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  POINT("rwlock_tryrdlock", NULL, lock);
  struct object* object = used_object(lock, "read-write lock", CALLER);
  return may_read(object) ? read_lock(object) : EBUSY;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  POINT("rwlock_trywrlock", NULL, lock);
  struct object* object = used_object(lock, "read-write lock", CALLER);
  if (object->owner || object->count) return EBUSY;
  DRAIN();
  weir_race_acquire(object);
  object->owner = me();
  return 0;
}
static int read_until(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline, uintptr_t pc, uintptr_t frame) {
  if (weir_is_bad_time(deadline)) return EINVAL;
  weir_call_point("rwlock_timedrdlock", pc, frame, NULL, lock);
  struct object* object = used_object(lock, "read-write lock", pc);
  if (object->owner == me()) return EDEADLK;
  return may_read(object) ? read_lock(object) : weir_time_has_come(clock, deadline);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return read_until(lock, CLOCK_REALTIME, deadline, CALLER, FRAME);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return read_until(lock, clock, deadline, CALLER, FRAME);
}
static int write_until(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline, uintptr_t pc, uintptr_t frame) {
  if (weir_is_bad_time(deadline)) return EINVAL;
  weir_call_point("rwlock_timedwrlock", pc, frame, NULL, lock);
  struct object* object = used_object(lock, "read-write lock", pc);
  if (object->owner == me()) return EDEADLK;
  DRAIN();
  if (object->owner || object->count) return weir_time_has_come(clock, deadline);
  weir_race_acquire(object);
  object->owner = me();
  return 0;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return write_until(lock, CLOCK_REALTIME, deadline, CALLER, FRAME);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return write_until(lock, clock, deadline, CALLER, FRAME);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  POINT("rwlock_unlock", NULL, lock);
  struct object* object = used_object(lock, "read-write lock", CALLER);
  DRAIN();
  weir_race_release(object);
  if (object->owner == me()) {
    object->owner = 0;
  } else if (object->readers[weir_self->number]) {
    object->readers[weir_self->number]--;
    object->count--;
  } else {
    weir_violation("misuse", CALLER, "unlocks a read-write lock that it does not hold");
  }
  return 0;
}

// --- Spin locks: a number, 0 if it is free, and unlocking is a plain store

static int last_own_store(struct thread* thread, const void* address, int value) {
  for (int i = 0; i < thread->store_count; i++)
    if (thread->stores[i].address == (uintptr_t)address) memcpy(&value, thread->stores[i].bytes, 4);
  return value;
}
static int spin_ready(struct thread* thread) {
  const int* lock = thread->event.object;
  return last_own_store(thread, lock, *lock) == 0;
}
int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  (void)shared;
  fresh_object((void*)lock, sizeof *lock, CALLER);
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) {
  POINT("spin_destroy", NULL, lock);
  if (*lock) weir_violation("misuse", CALLER, "destroys a locked spin lock");
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!object_at((void*)lock)->initialised)
    weir_violation("uninitialised", CALLER, "uses a spin lock that is not initialised");
  POINT("spin_lock", spin_ready, lock);
  weir_check_atomic_access((uintptr_t)lock, 4, 1, CALLER);
  DRAIN();
  weir_race_acquire((void*)lock);
  *lock = me();
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) {
  POINT("spin_trylock", NULL, lock);
  weir_check_atomic_access((uintptr_t)lock, 4, 1, CALLER);
  DRAIN();
  if (*lock) return EBUSY;
  weir_race_acquire((void*)lock);
  *lock = me();
  return 0;
}
static void store_later(int* address, int value) {
  if (weir_active && weir_self->buffer_it)
    weir_push_store(weir_self, (uintptr_t)address, 4, &value, 1);
  else
    *address = value;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  POINT("spin_unlock", NULL, lock);
  weir_check_atomic_access((uintptr_t)lock, 4, 1, CALLER);
  weir_race_release((void*)lock);
  if (*lock != me()) weir_violation("misuse", CALLER, "unlocks a spin lock that it does not hold");
  store_later((int*)lock, 0);
  return 0;
}

// --- Once

static int once_ready(struct thread* thread) {
  const int* control = thread->event.object;
  return last_own_store(thread, control, *control) != 1;
}
// The function is left by an exception, or the thread ends in it.
static void give_once_back(int** control) {
  if (*control) store_later(*control, 0);
}
static int run_once(int* control, void (*function)(void), uintptr_t pc, uintptr_t frame) {
  weir_call_point("once", pc, frame, once_ready, control);
  weir_check_atomic_access((uintptr_t)control, 4, 1, pc);
  weir_race_acquire(control);
  if (*control == 2) return 0;
  DRAIN();
  *control = 1;
  int* unfinished __attribute__((cleanup(give_once_back))) = control;
  function();
  unfinished = NULL;
  weir_call_point("once_done", pc, frame, NULL, control);
  weir_race_release(control);
  store_later(control, 2);
  return 0;
}
int pthread_once(pthread_once_t* control, void (*function)(void)) {
  return run_once(control, function, CALLER, FRAME);
}
void call_once(once_flag* control, void (*function)(void)) {
  run_once((int*)control, function, CALLER, FRAME);
}

// The same for static variables of C++.
int __cxa_guard_acquire(u64* guard) {
  weir_call_point("guard", CALLER, FRAME, once_ready, (int*)guard + 1);
  int* state = (int*)guard + 1;
  weir_race_acquire(guard);
  if (*state == 2 || *(u8*)guard) return 0;
  if (weir_self) DRAIN();
  *state = 1;
  return 1;
}
void __cxa_guard_release(u64* guard) {
  weir_call_point("guard_done", CALLER, FRAME, NULL, guard);
  weir_race_release(guard);
  if (weir_self) DRAIN();
  *(u8*)guard = 1;
  *((int*)guard + 1) = 2;
}
void __cxa_guard_abort(u64* guard) { *((int*)guard + 1) = 0; }

// --- Semaphores and barriers

static int semaphore_ready(struct thread* thread) { return object_at(thread->event.object)->count > 0; }
static int fails_with(int error) {
  errno = error;
  return -1;
}
int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  fresh_object(semaphore, sizeof *semaphore, CALLER)->count = value;
  return 0;
}
int sem_destroy(sem_t* semaphore) {
  POINT("sem_destroy", NULL, semaphore);
  used_object(semaphore, "semaphore", CALLER)->destroyed = 1;
  return 0;
}
int sem_post(sem_t* semaphore) {
  POINT("sem_post", NULL, semaphore);
  struct object* object = used_object(semaphore, "semaphore", CALLER);
  DRAIN();
  weir_race_release(object);
  object->count++;
  return 0;
}
int sem_wait(sem_t* semaphore) {
  POINT("sem_wait", semaphore_ready, semaphore);
  struct object* object = used_object(semaphore, "semaphore", CALLER);
  DRAIN();
  weir_race_acquire(object);
  object->count--;
  return 0;
}
int sem_trywait(sem_t* semaphore) {
  POINT("sem_trywait", NULL, semaphore);
  struct object* object = used_object(semaphore, "semaphore", CALLER);
  if (!object->count) return fails_with(EAGAIN);
  DRAIN();
  weir_race_acquire(object);
  object->count--;
  return 0;
}
static int wait_until(sem_t* semaphore, clockid_t clock, const struct timespec* deadline, uintptr_t pc, uintptr_t frame) {
  if (weir_is_bad_time(deadline)) return fails_with(EINVAL);
  weir_call_point("sem_timedwait", pc, frame, NULL, semaphore);
  struct object* object = used_object(semaphore, "semaphore", pc);
  DRAIN();
  if (!object->count) return fails_with(weir_time_has_come(clock, deadline));
  weir_race_acquire(object);
  object->count--;
  return 0;
}
int sem_timedwait(sem_t* semaphore, const struct timespec* deadline) {
  return wait_until(semaphore, CLOCK_REALTIME, deadline, CALLER, FRAME);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* deadline) {
  return wait_until(semaphore, clock, deadline, CALLER, FRAME);
}
int sem_getvalue(sem_t* semaphore, int* value) {
  POINT("sem_getvalue", NULL, semaphore);
  *value = (int)used_object(semaphore, "semaphore", CALLER)->count;
  return 0;
}

static int barrier_ready(struct thread* thread) {
  return object_at(thread->event.object)->generation != (u32)thread->woken;
}
int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  fresh_object(barrier, sizeof *barrier, CALLER)->size = count;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  POINT("barrier_destroy", NULL, barrier);
  if (object_at(barrier)->count) weir_violation("misuse", CALLER, "destroys a barrier that a thread waits at");
  object_at(barrier)->size = 0;
  return 0;
}
int pthread_barrier_wait(pthread_barrier_t* barrier) {
  POINT("barrier_arrive", NULL, barrier);
  struct object* object = used_object(barrier, "barrier", CALLER);
  if (!object->size) weir_violation("misuse", CALLER, "waits at a barrier that is not initialised");
  DRAIN();
  weir_race_release(object);
  weir_race_acquire(object);
  if (++object->count == object->size) {
    object->count = 0;
    object->generation++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  weir_self->woken = (int)object->generation;
  POINT("barrier_leave", barrier_ready, barrier);
  weir_race_acquire(object);
  return 0;
}

// --- Threads

static struct thread* thread_of(pthread_t handle) {
  for (int i = 0; i < weir_thread_count; i++)
    if (pthread_equal(weir_threads[i].real, handle)) return &weir_threads[i];
  return NULL;
}

static struct thread* create(pthread_t* handle, int detached, uintptr_t pc, uintptr_t frame) {
  weir_call_point("create", pc, frame, NULL, NULL);
  DRAIN();
  if (weir_thread_count == kMostThreads) weir_finish("unavailable", "too many threads");
  struct thread* thread = &weir_threads[weir_thread_count++];
  thread->number = (int)(thread - weir_threads);
  weir_race_start(thread);
  weir_check_access((uintptr_t)handle, sizeof *handle, 1, pc);  // not before the new thread starts
  thread->detached = detached;
  return thread;
}

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  struct thread* thread = create(handle, state == PTHREAD_CREATE_DETACHED, CALLER, FRAME);
  thread->start = start;
  thread->argument = argument;
  weir_start_thread(thread, CALLER);
  *handle = thread->real;
  return 0;
}

static int join_ready(struct thread* thread) {
  const struct thread* other = thread->event.object;
  return other->ended || other->joined || other->detached;
}
static void* join(pthread_t handle, uintptr_t pc, uintptr_t frame) {
  struct thread* other = thread_of(handle);
  if (!other) weir_violation("misuse", pc, "joins a thread that was never created");
  if (other == weir_self) weir_violation("misuse", pc, "a thread joins itself");
  weir_call_point("join", pc, frame, join_ready, other);
  if (other->detached) weir_violation("misuse", pc, "joins a detached thread");
  if (other->joined) weir_violation("misuse", pc, "joins a thread that was joined already");
  DRAIN();
  weir_race_join(other);
  other->joined = 1;
  return other->result;
}
int pthread_join(pthread_t handle, void** result) {
  void* returned = join(handle, CALLER, FRAME);
  if (result) {
    weir_check_access((uintptr_t)result, sizeof *result, 1, CALLER);
    *result = returned;
  }
  return 0;
}
static void detach(pthread_t handle, uintptr_t pc, uintptr_t frame) {
  weir_call_point("detach", pc, frame, NULL, NULL);
  struct thread* other = thread_of(handle);
  if (!other) weir_violation("misuse", pc, "detaches a thread that was never created");
  if (other->detached) weir_violation("misuse", pc, "detaches a thread that was detached already");
  if (other->joined) weir_violation("misuse", pc, "detaches a thread that was joined already");
  DRAIN();
  other->detached = 1;
}
int pthread_detach(pthread_t handle) {
  detach(handle, CALLER, FRAME);
  return 0;
}

// A thread that ends unwinds its stack, as the GNU C library does it: destructors of C++ run, and catch (...) is
// entered, which has to throw again. It ends where its outermost function is reached.
static struct _Unwind_Exception leaving[kMostThreads];

// Handlers of pthread_cleanup_push in C: where to jump to, and the frame of their function.
enum { kMostHandlers = 32 };
static struct { __pthread_unwind_buf_t* buffer; uintptr_t frame; } pushed[kMostThreads][kMostHandlers];
static int pushed_count[kMostThreads];

void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  const int thread = weir_self->number;
  if (pushed_count[thread] == kMostHandlers) weir_finish("unavailable", "too many handlers are pushed");
  pushed[thread][pushed_count[thread]].buffer = buffer;
  pushed[thread][pushed_count[thread]++].frame = FRAME;
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) { pushed_count[weir_self->number]--; }

static void call_handler_below(uintptr_t frame) {
  const int thread = weir_self->number, last = pushed_count[thread] - 1;
  if (last < 0 || pushed[thread][last].frame > frame) return;
  pushed_count[thread] = last;
  longjmp((struct __jmp_buf_tag*)pushed[thread][last].buffer, 1);
}

static _Unwind_Reason_Code end_at_top(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                      struct _Unwind_Exception* exception, struct _Unwind_Context* context, void* top) {
  call_handler_below(_Unwind_GetCFA(context));
  if (!(actions & _UA_END_OF_STACK) && _Unwind_GetCFA(context) < weir_self->stack_high) return _URC_NO_REASON;
  weir_end_thread();
  return _URC_NO_REASON;
}
static void kept(_Unwind_Reason_Code reason, struct _Unwind_Exception* exception) {
  weir_violation("terminate", CALLER, "catch (...) does not throw again what pthread_exit throws");
}
static void exit_thread(void* result, uintptr_t frame) {
  struct thread* self = weir_self;
  self->frame = frame;
  self->result = result;
  struct _Unwind_Exception* exception = &leaving[self->number];
  exception->exception_class = 0;
  exception->exception_cleanup = kept;
  _Unwind_ForcedUnwind(exception, end_at_top, NULL);
  weir_end_thread();
}
void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  _Unwind_ForcedUnwind(&leaving[weir_self->number], end_at_top, NULL);
}
void pthread_exit(void* result) { exit_thread(result, FRAME); }

int thrd_create(thrd_t* handle, thrd_start_t start, void* argument) {
  struct thread* thread = create((pthread_t*)handle, 0, CALLER, FRAME);
  thread->start_c11 = start;
  thread->argument = argument;
  weir_start_thread(thread, CALLER);
  *handle = (thrd_t)thread->real;
  return thrd_success;
}
int thrd_join(thrd_t handle, int* result) {
  void* returned = join((pthread_t)handle, CALLER, FRAME);
  if (result) *result = (int)(intptr_t)returned;
  return thrd_success;
}
int thrd_detach(thrd_t handle) {
  detach((pthread_t)handle, CALLER, FRAME);
  return thrd_success;
}
void thrd_exit(int result) { exit_thread((void*)(intptr_t)result, FRAME); }

// --- Values of threads

static struct { int used; void (*destructor)(void*); } keys[64];

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  POINT("key_create", NULL, key);
  for (unsigned i = 0; i < 64; i++) {
    if (keys[i].used) continue;
    keys[i].used = 1;
    keys[i].destructor = destructor;
    for (int t = 0; t < weir_thread_count; t++) weir_threads[t].values[i] = NULL;
    weir_check_access((uintptr_t)key, sizeof *key, 1, CALLER);
    *key = i;
    return 0;
  }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
  POINT("key_delete", NULL, NULL);
  if (key >= 64 || !keys[key].used) weir_violation("misuse", CALLER, "deletes a key that does not exist");
  keys[key].used = 0;
  return 0;
}
// One that was deleted has no values, as in the GNU C library.
int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= 64) weir_violation("misuse", CALLER, "uses a key that does not exist");
  if (!keys[key].used) return EINVAL;
  weir_self->values[key] = (void*)value;
  return 0;
}
void* pthread_getspecific(pthread_key_t key) {
  if (key >= 64) weir_violation("misuse", CALLER, "uses a key that does not exist");
  return keys[key].used ? weir_self->values[key] : NULL;
}
int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) ? thrd_error : thrd_success;
}
void tss_delete(tss_t key) { pthread_key_delete(key); }
int tss_set(tss_t key, void* value) { return pthread_setspecific(key, value), thrd_success; }
void* tss_get(tss_t key) { return pthread_getspecific(key); }

// Destructors of thread_local objects of C++, newest first.
struct destructor {
  void (*call)(void*);
  void* object;
  struct destructor* next;
};
int __cxa_thread_atexit(void (*call)(void*), void* object, void* module) {
  (void)module;
  struct destructor* destructor = weir_heap_allocate(sizeof *destructor, 16, 1, 0);
  *destructor = (struct destructor){call, object, weir_self->destructors};
  weir_self->destructors = destructor;
  return 0;
}

static void run_object_destructors(struct thread* self) {
  while (self->destructors) {
    struct destructor* first = self->destructors;
    self->destructors = first->next;
    first->call(first->object);
  }
}

// The keys of this thread that have a value and a destructor, and were not among those that are done already.
static int keys_to_end(const struct thread* self, u64 done, int* found) {
  int count = 0;
  for (int i = 0; i < 64; i++)
    if (self->values[i] && keys[i].used && keys[i].destructor && !(done >> i & 1)) found[count++] = i;
  return count;
}

// Four rounds; in each the destructors are called in any order.
void weir_run_destructors(struct thread* self) {
  run_object_destructors(self);
  for (int round = 0; round < 4; round++) {
    int found[64], count;
    for (u64 done = 0; (count = keys_to_end(self, done, found)) > 0;) {
      uintptr_t functions[64];
      for (int i = 0; i < count; i++) functions[i] = (uintptr_t)keys[found[i]].destructor;
      const int key = found[weir_guided ? weir_guide_expected(self, functions, count) : (int)weir_random((u32)count)];
      void* value = self->values[key];
      done |= 1ull << key;
      self->values[key] = NULL;
      keys[key].destructor(value);
    }
  }
}
