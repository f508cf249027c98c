// expect: all safe
// native: 0
// Every operation of <stdatomic.h>, with its result, in one thread.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int a = 5;
static atomic_uchar small = 250;
static _Atomic uint64_t wide = 1ull << 40;
static atomic_bool flag_value;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int target[3];
static _Atomic(int*) pointer = target;

int main(void) {
  assert(atomic_load(&a) == 5);
  atomic_store(&a, 6);
  assert(atomic_exchange(&a, 7) == 6 && a == 7);
  assert(atomic_fetch_add(&a, 3) == 7 && atomic_fetch_sub(&a, 1) == 10 && a == 9);
  assert(atomic_fetch_or(&a, 6) == 9 && a == 15);
  assert(atomic_fetch_and(&a, 10) == 15 && a == 10);
  assert(atomic_fetch_xor(&a, 3) == 10 && a == 9);
  int expected = 8;
  assert(!atomic_compare_exchange_strong(&a, &expected, 1) && expected == 9 && a == 9);
  assert(atomic_compare_exchange_strong(&a, &expected, 1) && a == 1);
  expected = 1;
  while (!atomic_compare_exchange_weak(&a, &expected, 2)) {
  }
  assert(a == 2);
  a++;
  assert(a-- == 3 && ++a == 3 && (a += 4) == 7 && (a *= 2) == 14);
  assert(atomic_fetch_add(&small, 10) == 250 && small == 4);
  wide += 1;
  assert(wide == (1ull << 40) + 1 && atomic_fetch_sub(&wide, 2) == (1ull << 40) + 1);
  flag_value = 3;
  assert(flag_value == 1);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  assert(atomic_fetch_add(&pointer, 2) == target && pointer == target + 2);
  atomic_init(&a, -1);
  assert(atomic_load_explicit(&a, memory_order_relaxed) == -1 && atomic_is_lock_free(&a));
  return 0;
}
