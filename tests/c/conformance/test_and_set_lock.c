// expect: all safe
// A lock made of test-and-set; the releasing store is a plain one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int inside, total;

static void* worker(void* unused) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  inside++;
  assert(inside == 1);
  total++;
  inside--;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total == 2);
  return 0;
}
