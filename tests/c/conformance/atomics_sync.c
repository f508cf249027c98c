// expect: all safe
// native: 0
// The old __sync builtins.
#include <assert.h>

static int i;
static long l = 10;
static int lock;

int main(void) {
  assert(__sync_fetch_and_add(&i, 5) == 0 && __sync_add_and_fetch(&i, 5) == 10);
  assert(__sync_fetch_and_sub(&i, 3) == 10 && __sync_sub_and_fetch(&i, 3) == 4);
  assert(__sync_fetch_and_or(&i, 3) == 4 && __sync_or_and_fetch(&i, 8) == 15);
  assert(__sync_fetch_and_and(&i, 6) == 15 && __sync_and_and_fetch(&i, 2) == 2);
  assert(__sync_fetch_and_xor(&i, 3) == 2 && __sync_xor_and_fetch(&i, 1) == 0);
  assert(__sync_bool_compare_and_swap(&l, 10, 11) && !__sync_bool_compare_and_swap(&l, 10, 12));
  assert(__sync_val_compare_and_swap(&l, 11, 13) == 11 && __sync_val_compare_and_swap(&l, 0, 1) == 13);
  assert(l == 13);
  assert(__sync_lock_test_and_set(&lock, 1) == 0 && __sync_lock_test_and_set(&lock, 1) == 1);
  __sync_lock_release(&lock);
  assert(lock == 0);
  __sync_synchronize();
  return 0;
}
