// expect: all safe
// options: --races
// Atomic variables do not race, nor does what they order.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void* worker(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int copy = 0;
  if (atomic_load_explicit(&flag, memory_order_acquire)) copy = data;
  pthread_join(t, NULL);
  return copy + data == 9;
}
