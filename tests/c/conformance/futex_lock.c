// expect: all safe
// native: 0
// The lock of "Futexes Are Tricky".
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;  // 0: free, 1: taken, 2: taken, and perhaps somebody waits
static int counter;

static void lock(void) {
  int found = 0;
  if (atomic_compare_exchange_strong(&word, &found, 1)) return;
  if (found != 2) found = atomic_exchange(&word, 2);
  while (found != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    found = atomic_exchange(&word, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) == 1) return;
  atomic_store(&word, 0);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

static void *work(void *argument) {
  lock();
  counter++;
  unlock();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
