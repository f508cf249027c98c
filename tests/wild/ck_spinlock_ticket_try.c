// expect: sc safe, tso safe
// package: libck-dev
// A thread that tries adds one only if it got the lock.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_ticket_t word = CK_SPINLOCK_TICKET_INITIALIZER;
static int counter, tries;

static void *try_to_add(void *none) {
  if (ck_spinlock_ticket_trylock(&word)) {
    counter++;
    tries++;
    ck_spinlock_ticket_unlock(&word);
  }
  return none;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, try_to_add, 0);
  ck_spinlock_ticket_lock(&word);
  counter++;
  ck_spinlock_ticket_unlock(&word);
  pthread_join(other, 0);
  assert(counter == 1 + tries);
  return 0;
}
