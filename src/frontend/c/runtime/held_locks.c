// The locks that a thread holds, as far as it has to know by itself.
#include "internal.h"

// The one it took last.
static _Thread_local const void* newest_lock;

void __weir_remember_lock(const void* lock) { newest_lock = lock; }

int __weir_forget_lock(const void* lock) {
  if (newest_lock != lock) return 0;
  newest_lock = 0;
  return 1;
}

// Mutexes in memory that can end before the program does: the first ones it took, with nulls behind them.
enum { kMostHeld = 4 };
static _Thread_local const void* held[kMostHeld];

void __weir_hold_mutex(const void* mutex) {
  if (!__weir_can_end(mutex)) return;
  for (int i = 0; i < kMostHeld; i++) {
    if (held[i]) continue;
    held[i] = mutex;
    return;
  }
}

void __weir_let_go_mutex(const void* mutex) {
  if (!__weir_can_end(mutex)) return;
  int place = 0;
  while (place < kMostHeld && held[place] != mutex) place++;
  if (place == kMostHeld) return;
  for (; place + 1 < kMostHeld; place++) held[place] = held[place + 1];
  held[kMostHeld - 1] = 0;
}

void __weir_check_unlocked(const void* memory, unsigned long size) {
  const char* begin = memory;
  for (int i = 0; i < kMostHeld && held[i]; i++) {
    const char* mutex = held[i];
    if (mutex >= begin && mutex < begin + size) __weir_fail("the memory of a locked mutex ends");
  }
}
