// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// A lock for many readers and one writer, as in per-CPU reader locks: a reader marks its own slot and looks
// for a writer; the writer marks itself and looks for readers.
//
// Both sides store and then load, like Dekker's algorithm, and both can miss each other on x86.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kReaders = 2 };

static atomic_bool reading[kReaders];
static atomic_bool writing;

static void read_lock(int me) {
  for (;;) {
    atomic_store_explicit(&reading[me], true, memory_order_relaxed);
    if (!atomic_load_explicit(&writing, memory_order_acquire)) return;
    atomic_store_explicit(&reading[me], false, memory_order_relaxed);
    while (atomic_load_explicit(&writing, memory_order_acquire)) {
    }
  }
}

static void read_unlock(int me) { atomic_store_explicit(&reading[me], false, memory_order_release); }

static void write_lock(void) {  // there is only one writer
  atomic_store_explicit(&writing, true, memory_order_relaxed);
  for (int i = 0; i < kReaders; i++) {
    while (atomic_load_explicit(&reading[i], memory_order_acquire)) {
    }
  }
}

static void write_unlock(void) { atomic_store_explicit(&writing, false, memory_order_release); }

static int left, right;

static void* reader(void* argument) {
  const int me = *(int*)argument;
  read_lock(me);
  assert(left == right);
  read_unlock(me);
  return NULL;
}

int main(void) {
  static int numbers[kReaders] = {0, 1};
  pthread_t threads[kReaders];
  for (int i = 0; i < kReaders; i++) pthread_create(&threads[i], NULL, reader, &numbers[i]);
  write_lock();
  left++;
  right++;
  write_unlock();
  for (int i = 0; i < kReaders; i++) pthread_join(threads[i], NULL);
  return 0;
}
