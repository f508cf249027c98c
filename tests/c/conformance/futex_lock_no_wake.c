// expect: all unsafe deadlock
// options: --no-spurious-wakeups
// Nobody wakes who waits for the lock.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *work(void *argument) {
  while (atomic_exchange(&word, 1) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL);
  atomic_store(&word, 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
