// expect: all safe
// native: 0
// The idioms of the kernel, with the header for them: a lock, a published message, a counter.
#include <pthread.h>

#include "../../../headers/weir/kernel.h"

static DEFINE_SPINLOCK(lock);
static int protected_count, message, ready;
static atomic_t count = ATOMIC_INIT(0);

static void *work(void *none) {
  spin_lock(&lock);
  protected_count++;
  spin_unlock(&lock);
  atomic_inc(&count);
  WRITE_ONCE(message, 1);
  smp_wmb();
  WRITE_ONCE(ready, 1);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  spin_lock(&lock);
  protected_count++;
  spin_unlock(&lock);
  if (READ_ONCE(ready)) {
    smp_rmb();
    BUG_ON(READ_ONCE(message) != 1);
  }
  pthread_join(thread, 0);
  BUG_ON(protected_count != 2);
  BUG_ON(atomic_read(&count) != 1);
  BUG_ON(cmpxchg(&message, 1, 5) != 1 || xchg(&message, 6) != 5);
  return 0;
}
