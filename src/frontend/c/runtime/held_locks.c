// The lock that a thread took last, if it still holds it.
#include "internal.h"

static _Thread_local const void* newest_lock;

void __weir_remember_lock(const void* lock) { newest_lock = lock; }

int __weir_forget_lock(const void* lock) {
  if (newest_lock != lock) return 0;
  newest_lock = 0;
  return 1;
}
