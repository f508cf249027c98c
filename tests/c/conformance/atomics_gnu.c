// expect: all safe
// native: 0
// The __atomic builtins, on integers and pointers of several widths.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static int i = 1;
static int16_t s = -1;
static uint8_t b = 0xf0;
static long l;
static void* p;

int main(void) {
  assert(__atomic_load_n(&i, __ATOMIC_SEQ_CST) == 1);
  __atomic_store_n(&i, 2, __ATOMIC_RELEASE);
  assert(__atomic_exchange_n(&i, 3, __ATOMIC_ACQ_REL) == 2);
  assert(__atomic_add_fetch(&i, 4, __ATOMIC_RELAXED) == 7);
  assert(__atomic_sub_fetch(&i, 2, __ATOMIC_ACQUIRE) == 5);
  assert(__atomic_fetch_or(&i, 8, __ATOMIC_SEQ_CST) == 5 && i == 13);
  assert(__atomic_and_fetch(&i, 12, __ATOMIC_SEQ_CST) == 12);
  assert(__atomic_xor_fetch(&i, 1, __ATOMIC_SEQ_CST) == 13);
  assert(__atomic_nand_fetch(&i, 5, __ATOMIC_SEQ_CST) == ~5 &&
         __atomic_fetch_nand(&i, -1, __ATOMIC_SEQ_CST) == ~5);
  assert(i == 5);
  assert(__atomic_fetch_add(&s, 2, __ATOMIC_SEQ_CST) == -1 && s == 1);
  assert(__atomic_add_fetch(&b, 0x20, __ATOMIC_SEQ_CST) == 0x10);
  long expected = 1, desired = 9;
  assert(!__atomic_compare_exchange_n(&l, &expected, 5, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(expected == 0);
  assert(__atomic_compare_exchange(&l, &expected, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(l == 9);
  long out;
  __atomic_load(&l, &out, __ATOMIC_ACQUIRE);
  assert(out == 9);
  desired = 10;
  __atomic_store(&l, &desired, __ATOMIC_RELEASE);
  __atomic_exchange(&l, &desired, &out, __ATOMIC_SEQ_CST);
  assert(out == 10);
  __atomic_store_n(&p, &i, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&p, __ATOMIC_CONSUME) == &i);
  assert(__atomic_exchange_n(&p, (void*)0, __ATOMIC_SEQ_CST) == &i);
  bool busy = false;
  assert(!__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE) && busy);
  __atomic_clear(&busy, __ATOMIC_RELEASE);
  assert(!busy);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return 0;
}
