// The idioms of the Linux kernel, for code from there that is checked as a program with POSIX threads. What each means is in C's own
// words below, so the same code can be compiled and run. Orders are those that the kernel promises, not those of one processor:
// under PSO smp_wmb() is needed where it is in the kernel.
//
// RCU is that of a process in which readers execute a full fence when they begin and end (as the "mb" flavour of userspace RCU):
// in the kernel they do not, so what depends on their own stores being delayed is not found.
#pragma once

#include <assert.h>
#include <stddef.h>

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))

#define barrier() __asm__ __volatile__("" ::: "memory")
#define cpu_relax() __asm__ __volatile__("rep; nop" ::: "memory")
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic() smp_mb()
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define smp_store_mb(x, value) (WRITE_ONCE(x, value), smp_mb())

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define BUG_ON(condition) assert(!(condition))
#define WARN_ON(condition) assert(!(condition))
#ifndef container_of
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#endif

#define xchg(p, value) __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, value)                                                                          \
  ({                                                                                                    \
    __typeof__(*(p)) weir_found = (old);                                                                \
    __atomic_compare_exchange_n(p, &weir_found, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    weir_found;                                                                                         \
  })

typedef struct {
  int counter;
} atomic_t;

#define ATOMIC_INIT(value) {(value)}
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, value) WRITE_ONCE((v)->counter, value)
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, value) smp_store_release(&(v)->counter, value)
#define atomic_fetch_add(i, v) __atomic_fetch_add(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(i, v) __atomic_fetch_sub(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_add_return(i, v) __atomic_add_fetch(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_sub_return(i, v) __atomic_sub_fetch(&(v)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_add(i, v) ((void)atomic_fetch_add(i, v))
#define atomic_sub(i, v) ((void)atomic_fetch_sub(i, v))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)
#define atomic_inc_return(v) atomic_add_return(1, v)
#define atomic_dec_return(v) atomic_sub_return(1, v)
#define atomic_dec_and_test(v) (atomic_sub_return(1, v) == 0)
#define atomic_xchg(v, value) xchg(&(v)->counter, value)
#define atomic_cmpxchg(v, old, value) cmpxchg(&(v)->counter, old, value)

typedef struct {
  int locked;
} spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define __SPIN_LOCK_UNLOCKED(name) {0}

static inline void spin_lock_init(spinlock_t *lock) { lock->locked = 0; }
static inline int spin_trylock(spinlock_t *lock) { return xchg(&lock->locked, 1) == 0; }
static inline void spin_lock(spinlock_t *lock) {
  while (!spin_trylock(lock)) {
    while (READ_ONCE(lock->locked)) cpu_relax();
  }
}
static inline void spin_unlock(spinlock_t *lock) { smp_store_release(&lock->locked, 0); }
static inline int spin_is_locked(spinlock_t *lock) { return READ_ONCE(lock->locked); }

// Readers count themselves in the current of two phases. An updater changes the phase and waits for the other one to be empty, twice:
// a reader that has seen the old phase late is waited for by the second.
static int weir_rcu_phase, weir_rcu_readers[2];
static spinlock_t weir_rcu_updater;
static __thread int weir_rcu_depth, weir_rcu_mine;

static inline void rcu_read_lock(void) {
  if (weir_rcu_depth++ > 0) return;
  weir_rcu_mine = READ_ONCE(weir_rcu_phase);
  __atomic_fetch_add(&weir_rcu_readers[weir_rcu_mine], 1, __ATOMIC_SEQ_CST);
}

static inline void rcu_read_unlock(void) {
  if (--weir_rcu_depth > 0) return;
  __atomic_fetch_sub(&weir_rcu_readers[weir_rcu_mine], 1, __ATOMIC_SEQ_CST);
}

static inline void synchronize_rcu(void) {
  smp_mb();
  spin_lock(&weir_rcu_updater);
  for (int round = 0; round < 2; round++) {
    int old = weir_rcu_phase;
    WRITE_ONCE(weir_rcu_phase, 1 - old);
    smp_mb();
    while (__atomic_load_n(&weir_rcu_readers[old], __ATOMIC_ACQUIRE) != 0) cpu_relax();
  }
  spin_unlock(&weir_rcu_updater);
  smp_mb();
}

#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#define rcu_assign_pointer(p, value) smp_store_release(&(p), value)
