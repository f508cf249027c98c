// expect: all unsafe race
// options: --races
// A compare-exchange that fails has the order that is given for that: here none.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static int seen;

static void* writer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int none = 7;
  if (!atomic_compare_exchange_strong_explicit(&flag, &none, 8, memory_order_acq_rel, memory_order_relaxed) && none == 1)
    seen = data;
  pthread_join(thread, NULL);
  return 0;
}
